import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Package, Star } from 'lucide-react'
import { useId } from 'react'
import type { Dashboard } from '#contract/reviews.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { StatCard } from '#web/kit/ui/stat-card.tsx'
import { BalanceCard } from '#web/matching/balance-card.tsx'
import { paths } from '#web/paths.ts'
import { useMyProducts } from './my-products.ts'
import { AddProductTile, ProductGrid, ProductGridSkeleton } from './product-grid.tsx'

/** /dashboard: the member's figures, their balance and the products in the rotation. */
export function DashboardScreen() {
  return (
    <Page>
      <PageHeader title="Dashboard" help="Your products, and where each of them is on its way to a review." />
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

/** The change against the 30 days before, without praise or blame: a figure informs, it is not a goal. */
function trendOf({ change }: Dashboard['totalProducts'], digits: number) {
  const good = null
  if (change === null) return { direction: 'flat' as const, good, label: '— vs previous 30 days' }
  const amount = Math.abs(change).toFixed(digits)
  const none = Number(amount) === 0
  const direction = none ? ('flat' as const) : change > 0 ? ('up' as const) : ('down' as const)
  const sign = none ? '±' : change > 0 ? '+' : '−'
  return { direction, good, label: `${sign}${amount} vs previous 30 days` }
}

function MyProducts() {
  const headingId = useId()
  const router = useRouter()
  const { data, isPending, isFetching, refetch, live, archived } = useMyProducts()
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <div className="mt-2 flex items-baseline justify-between gap-4">
        <h2 id={headingId} className="text-18 font-semibold text-ink">
          My Products
        </h2>
        {archived.length > 0 ? (
          <TextLink href={paths.assets()} className="text-13">
            {archived.length} archived
          </TextLink>
        ) : null}
      </div>
      {data?.length === 0 ? <FirstSteps /> : null}
      {data ? (
        <ProductGrid
          label="My Products"
          level={3}
          products={live}
          tile={
            <AddProductTile
              live={live.length}
              onConnected={() => void router.navigate({ href: paths.assets() })}
            />
          }
        />
      ) : isPending ? (
        <ProductGridSkeleton cards={3} />
      ) : (
        <Card>
          <ErrorState
            title="Your products could not be loaded"
            onRetry={() => void refetch()}
            retrying={isFetching}
            level={3}
          />
        </Card>
      )}
    </section>
  )
}

const steps = [
  {
    title: 'Connect a product',
    words: 'Paste the coupon link of one of your listings. Its files stay on the marketplace.',
  },
  {
    title: 'Ask for a review',
    words: 'Press Get Reviewed. The rotation draws a member for you; nobody trades back and forth.',
  },
  {
    title: 'Give one for one',
    words: 'When an offer reaches you, buy with the coupon, use the product and write what you think.',
  },
]

/** How the exchange goes, for somebody who has no product yet. */
function FirstSteps() {
  return (
    <Card title="First steps" level={3}>
      <ol className="grid gap-5 md:grid-cols-3">
        {steps.map(({ title, words }, index) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden="true"
              className="tabular flex size-7 shrink-0 items-center justify-center rounded-full border border-accent-line bg-accent-soft text-13 font-semibold text-accent-ink"
            >
              {index + 1}
            </span>
            <div>
              <h4 className="text-14 font-semibold text-ink">{title}</h4>
              <p className="mt-0.5 text-13 text-pretty text-ink-2">{words}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}
