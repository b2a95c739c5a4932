import { useQuery } from '@tanstack/react-query'
import { Package, Star } from 'lucide-react'
import type { Dashboard } from '#contract/reviews.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { StatCard } from '#web/kit/ui/stat-card.tsx'
import { BalanceCard } from '#web/matching/balance-card.tsx'
import { MyProducts } from '#web/products/products-section.tsx'

/** /dashboard: the member's figures, balance and products in the rotation. */
export function DashboardScreen() {
  return (
    <Page>
      <PageHeader title="Dashboard" help="Your products and their review status." />
      <div className="grid gap-4 md:grid-cols-2">
        <div className="grid gap-4 sm:grid-cols-2 md:grid-cols-1">
          <Figures />
        </div>
        <div className="min-w-0 *:h-full">
          <BalanceCard />
        </div>
      </div>
      <MyProducts />
    </Page>
  )
}

function Figures() {
  const { data, isError, isFetching, refetch } = useQuery(api.reviews.getDashboard.queryOptions())
  if (isError && !data) {
    return (
      <Card className="flex flex-col justify-center sm:max-md:col-span-2">
        <ErrorState
          title="Your figures could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
          className="py-2!"
        />
      </Card>
    )
  }
  return (
    <>
      <StatCard
        label="Total Products"
        value={data ? (data.totalProducts.value ?? 0) : null}
        help="Active products connected with coupon codes"
        icon={<Package />}
        trend={data && trendOf(data.totalProducts, 0)}
      />
      <StatCard
        label="Average Review Rating"
        value={data ? (data.averageRating.value?.toFixed(1) ?? '–') : null}
        help="Average star rating from Verified Purchases"
        icon={<Star />}
        trend={data && trendOf(data.averageRating, 1)}
      />
    </>
  )
}

/** The change against the 30 days before, in a neutral color: the figures are not goals. */
function trendOf({ change }: Dashboard['totalProducts'], digits: number) {
  const good = null
  if (change === null) return { direction: 'flat' as const, good, label: '— vs previous 30 days' }
  const amount = Math.abs(change).toFixed(digits)
  const none = Number(amount) === 0
  const direction = none ? ('flat' as const) : change > 0 ? ('up' as const) : ('down' as const)
  const sign = none ? '±' : change > 0 ? '+' : '−'
  return { direction, good, label: `${sign}${amount} vs previous 30 days` }
}
