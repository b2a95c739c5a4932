import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { creditLine } from '#contract/matching-rules.ts'
import type { Balance } from '#contract/matching.ts'
import { api } from '#web/api.ts'
import { BalanceMeter } from '#web/kit/ui/balance-meter.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { paths } from '#web/paths.ts'
import { EndRestButton } from './end-rest-button.tsx'

/** Reviews given, received and in progress, and whether the member can be asked or make requests. */
export function BalanceCard({ level = 2 }: { level?: 2 | 3 }) {
  const query = useQuery(api.matching.getBalance.queryOptions())
  return (
    <Card title="Balance" help="One review given for one received." level={level}>
      {query.data ? (
        <Sides balance={query.data} />
      ) : query.isError ? (
        <ErrorState
          level={3}
          title="Your balance could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          error={query.error}
          className="py-2!"
        />
      ) : (
        <Loading label="Loading your balance" className="flex flex-col gap-4">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-14 w-full" />
          <Skeleton className="h-10 w-full" />
        </Loading>
      )}
    </Card>
  )
}

function Sides({ balance }: { balance: Balance }) {
  const { given, received, carried, corrected, pendingGive, pendingTake, openRequests, offerRefusal } =
    balance
  const allowed = Math.max(0, balance.balance - pendingTake - openRequests + creditLine)
  const requestsLeft = balance.giveFirst ? 0 : allowed
  return (
    <div className="flex flex-col gap-4">
      <BalanceMeter given={given} received={received} />
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-13">
        {carried > 0 ? <Row name="Owed from another account" count={carried} /> : null}
        {carried < 0 ? <Row name="Owed by another account now" count={-carried} /> : null}
        {corrected === 0 ? null : <Row name="Corrected by our staff" count={corrected} />}
        <Row name="Reviews you are writing" count={pendingGive} />
        <Row name="Reviews being written for you" count={pendingTake} />
        <Row name="Requests waiting for a reviewer" count={openRequests} />
      </dl>
      <ul className="flex flex-col gap-2 border-t border-line pt-4 text-13">
        <Standing open={offerRefusal === null}>
          <span>
            {askedLabel(balance)}
            {offerRefusal?.code === 'RESTING' ? (
              <span className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
                <EndRestButton size="sm" /> <TextLink href={paths.cooldown()}>How rests work</TextLink>
              </span>
            ) : null}
          </span>
        </Standing>
        <Standing open={requestsLeft > 0}>{requestsLabel(balance, requestsLeft)}</Standing>
      </ul>
    </div>
  )
}

function askedLabel({ offerRefusal }: Balance): string {
  return offerRefusal === null ? 'You can be asked for a review.' : offerRefusal.message
}

function requestsLabel({ pendingGive, giveFirst }: Balance, requestsLeft: number): string {
  if (giveFirst && pendingGive === 0)
    return 'Right now, new members give one review before they ask for their first.'
  if (requestsLeft > 0)
    return `Your balance allows ${requestsLeft} more ${requestsLeft === 1 ? 'request' : 'requests'}.`
  return pendingGive > 0
    ? 'Once the review you are writing is verified, you can make another request.'
    : 'Give a review to make another request.'
}

function Row({ name, count }: { name: string; count: number }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="tabular text-right font-medium text-ink">{count}</dd>
    </>
  )
}

function Standing({ open, children }: { open: boolean; children: ReactNode }) {
  const Icon = open ? CircleCheck : Clock3
  return (
    <li className="flex items-start gap-2 text-pretty text-ink-2">
      <Icon
        size={16}
        aria-hidden="true"
        className={open ? 'mt-0.5 shrink-0 text-success-ink' : 'mt-0.5 shrink-0 text-ink-3'}
      />
      {children}
    </li>
  )
}
