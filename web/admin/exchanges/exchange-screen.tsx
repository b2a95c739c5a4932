import { useQuery } from '@tanstack/react-query'
import { Circle } from 'lucide-react'
import type { Exchange } from '#contract/staff/exchanges.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { Timeline, TimelineRow } from '#web/kit/ui/timeline.tsx'
import { paths } from '#web/paths.ts'
import { staffApi } from '../api.ts'
import { ExchangeActions, ProofActions } from './exchange-actions.tsx'
import { PartyLink, StateBadge } from './exchange-columns.tsx'
import { Checks, Draws, Proofs, Versions } from './exchange-evidence.tsx'
import { RulesCard } from './rules-card.tsx'
import { stepsOf } from './exchange-timeline.ts'

const breadcrumb = [{ label: 'Exchanges', href: paths.adminExchanges() }]

/** /admin/exchanges/:id: one exchange, from the request to the ledger, with its evidence. */
export function ExchangeScreen({ id }: { id: string }) {
  const query = useQuery(staffApi.exchanges.getExchange.queryOptions({ input: { id } }))
  if (query.data) return <Content exchange={query.data} />
  if (!query.isError) {
    return (
      <Page width="full">
        <h1 className="sr-only">Loading the exchange</h1>
        <Loading label="Loading the exchange" className="flex flex-col gap-6">
          <Skeleton className="h-8 w-72" />
          <Skeleton className="h-96 rounded-12" />
        </Loading>
      </Page>
    )
  }
  const code = refusalCode(query.error)
  return (
    <Page>
      {code === 'OWN_MATTER' ? (
        <ErrorState level={1} title="You’re part of this exchange" error={null}>
          Another member of staff has to look at it.
        </ErrorState>
      ) : code === 'NOT_FOUND' ? (
        <ErrorState level={1} title="This exchange doesn’t exist" error={null}>
          Look for it in the list of exchanges.
        </ErrorState>
      ) : (
        <ErrorState
          level={1}
          title="The exchange could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          error={query.error}
        />
      )}
    </Page>
  )
}

function Content({ exchange }: { exchange: Exchange }) {
  const { review } = exchange
  return (
    <Page width="full">
      <PageHeader
        breadcrumb={breadcrumb}
        title={exchange.product.title}
        badge={<StateBadge state={exchange.state} />}
        help={`${exchange.listing.marketplace}, listing ${exchange.listing.externalId}`}
      />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Actions" help="Each asks for a reason and is recorded.">
            <ExchangeActions exchange={exchange} />
          </Card>
          {review ? (
            <>
              <Proofs
                proofs={review.proofs}
                actions={(proof) => <ProofActions exchange={exchange} proof={proof} />}
              />
              <Versions review={review} />
              <Checks checks={review.checks} />
            </>
          ) : null}
          {exchange.state === 'queued' || exchange.state === 'held' ? <RulesCard id={exchange.id} /> : null}
          <Draws offers={exchange.offers} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Members">
            <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-14">
              <dt className="text-ink-3">Seller</dt>
              <dd>
                <PartyLink party={exchange.seller} />
              </dd>
              <dt className="text-ink-3">Reviewer</dt>
              <dd>
                <PartyLink party={review?.reviewer ?? null} />
              </dd>
            </dl>
          </Card>
          <Card title="Timeline" padding="none">
            <Timeline label="Timeline">
              {stepsOf(exchange).map(({ key, at, title, detail, tone }) => (
                <TimelineRow key={key} icon={<Circle />} tone={tone} title={title} at={at}>
                  {detail ? <span className="wrap-anywhere">{detail}</span> : null}
                </TimelineRow>
              ))}
            </Timeline>
          </Card>
        </div>
      </div>
    </Page>
  )
}
