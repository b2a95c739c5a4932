import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChartColumn, Package, Star } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { Offer } from '#contract/matching.ts'
import type { Dashboard } from '#contract/reviews.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { StatCard } from '#web/kit/ui/stat-card.tsx'
import { BalanceCard } from '#web/matching/balance-card.tsx'
import { dismissToast, toast } from '#web/kit/ui/toast.tsx'
import { fetchCurrentOffer, showOffer, useCurrentOffer } from '#web/matching/current-offer.ts'
import { useDashboardTime } from '#web/matching/dashboard-time.ts'
import { paths } from '#web/paths.ts'
import { MyProducts } from '#web/products/products-section.tsx'
import { NextStepsCard } from './next-steps-card.tsx'

type DashboardScreenProps = {
  /** The id of the offer to open, as in links of mails and notices; older ones have 'open' for any. */
  offer?: string
  /** Drops it from the URL. */
  onOffer: () => void
}

/** /dashboard: what waits for the member, their products in the rotation, balance and figures. */
export function DashboardScreen({ offer, onOffer }: DashboardScreenProps) {
  useDashboardTime()
  useOfferFromUrl({ offer, onOffer })
  return (
    <Page>
      <PageHeader
        title="Dashboard"
        help="Your products and their review status."
        action={
          <LinkButton href={paths.analytics()} icon={<ChartColumn aria-hidden="true" />}>
            Analytics
          </LinkButton>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <NextStepsCard />
          <MyProducts />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <BalanceCard />
          <Figures />
        </div>
      </div>
    </Page>
  )
}

function useOfferFromUrl({ offer: wanted, onOffer }: DashboardScreenProps) {
  const queries = useQueryClient()
  const { offer: shown, loaded } = useCurrentOffer()
  const open = useEffectEvent(async (wanted: string) => {
    const isIt = (offer: Offer | null) => offer !== null && (wanted === 'open' || wanted === offer.id)
    onOffer()
    // A link may be younger than what this page knows.
    const current = isIt(shown) ? shown : await fetchCurrentOffer(queries).catch(() => undefined)
    if (current === undefined) {
      toast({
        title: 'Your offer could not be loaded',
        description: 'Check your connection, then open it from the top bar.',
        tone: 'danger',
      })
    } else if (current === null) {
      // A link in a mail or a push message may be opened late.
      toast({ title: 'This offer is no longer open', description: 'It was answered, or its time ran out.' })
    } else if (isIt(current)) showOffer(current)
    else {
      const openNew = () => {
        dismissToast(id)
        showOffer(current)
      }
      const id = toast({
        title: 'That offer is over',
        description: 'It was answered, or its time ran out. You have another one now.',
        action: { label: 'See the new offer', onClick: openNew },
      })
    }
  })
  // The offer arrives after the page, and the URL is outside React.
  useEffect(() => {
    if (wanted !== undefined && loaded) void open(wanted)
  }, [wanted, loaded])
}

function Figures() {
  const { data, isError, error, isFetching, refetch } = useQuery(api.reviews.getDashboard.queryOptions())
  if (isError && !data) {
    return (
      <Card className="flex flex-col justify-center">
        <ErrorState
          title="Your figures could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
          error={error}
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
        trend={trendOf(data?.totalProducts, 0)}
      />
      <StatCard
        label="Average Review Rating"
        value={data ? (data.averageRating.value?.toFixed(1) ?? '–') : null}
        help="Average star rating from Verified Purchases"
        icon={<Star />}
        trend={trendOf(data?.averageRating, 1)}
      />
    </>
  )
}

/** The change against the 30 days before, in a neutral color: the figures are not goals. */
function trendOf(figure: Dashboard['totalProducts'] | undefined, digits: number) {
  // There is nothing to compare with before the member's first figure.
  if (!figure || figure.change === null) return
  const amount = Math.abs(figure.change).toFixed(digits)
  const none = Number(amount) === 0
  const direction = none ? ('flat' as const) : figure.change > 0 ? ('up' as const) : ('down' as const)
  const sign = none ? '±' : figure.change > 0 ? '+' : '−'
  return { direction, good: null, label: `${sign}${amount} vs previous 30 days` }
}
