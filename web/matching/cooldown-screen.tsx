import { useQuery } from '@tanstack/react-query'
import { CircleSlash, History, UserRound } from 'lucide-react'
import { useEffect } from 'react'
import { acceptLimits, declineReasons, freeDeclinesPerDay, rests } from '#contract/matching-rules.ts'
import type { Cooldown } from '#contract/matching.ts'
import { api } from '#web/api.ts'
import {
  elapsedShare,
  formatDateTime,
  formatDayTime,
  hoursAndMinutes,
  formatDuration,
  formatUntil,
  useServerNow,
} from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { ProgressBar } from '#web/kit/ui/progress-bar.tsx'
import { ProgressRing, RingText } from '#web/kit/ui/progress-ring.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { Table } from '#web/kit/ui/table.tsx'
import type { Column } from '#web/kit/ui/table.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { CooldownLadder, RestLadder } from './cooldown-ladder.tsx'
import { waitOf } from './cooldown-wait.ts'
import { EndRestButton } from './end-rest-button.tsx'
import { formatMinutes } from './offer-labels.ts'
import { useServerClock } from './server-clock.ts'

/** /cooldown: today's declines, the current cooldown or rest, and how they work. */
export function CooldownScreen() {
  const query = useQuery(api.matching.findCooldown.queryOptions())
  useServerClock(query)
  // The failure is shown in a toast too, and a query has no callback for it.
  useEffect(() => {
    if (query.isError) toast({ title: 'Failed to load cooldown status', tone: 'warning' })
  }, [query.isError])

  return (
    <Page>
      <PageHeader
        title="Cooldown Status"
        help="Today’s declines and when you can get offers again."
        action={
          <>
            <LinkButton href={paths.support()}>Contact Support</LinkButton>
            <LinkButton href={paths.dashboard()}>Go to Dashboard</LinkButton>
          </>
        }
      />
      {query.data ? (
        <Status cooldown={query.data} />
      ) : query.data === null ? (
        <Card>
          <EmptyState
            icon={<UserRound />}
            title="No Reviewer Status Found"
            action={
              <LinkButton href={paths.dashboard()} variant="primary">
                Go to Dashboard
              </LinkButton>
            }
          >
            You are not in the rotation yet. To join, you need an active membership, a confirmed email address
            and a username.
          </EmptyState>
        </Card>
      ) : query.isError ? (
        <Card>
          <ErrorState
            title="Your cooldown status could not be loaded"
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
            error={query.error}
          />
        </Card>
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

function Status({ cooldown }: { cooldown: Cooldown }) {
  const now = useServerNow()
  const counted = cooldown.history.filter((decline) => decline.counted).length
  const isResting = cooldown.restUntil !== null && Date.parse(cooldown.restUntil) > now
  return (
    <>
      {isResting && cooldown.restUntil ? (
        <Alert
          tone="warning"
          title={`You’re resting ${formatUntil(cooldown.restUntil, now)}`}
          action={<EndRestButton variant="primary" />}
        >
          You didn’t accept {cooldown.refusals} offers in a row. Your rest ends automatically. If you’re ready
          for offers, you can end it{' '}
          {cooldown.readyFrom ? `from ${formatDateTime(cooldown.readyFrom)} on` : 'now'}.{' '}
          {isCooling(cooldown, now) ? 'Your cooldown continues either way.' : null}
        </Alert>
      ) : null}
      <div className="grid gap-4 lg:grid-cols-[1.3fr_1fr]">
        <Timer cooldown={cooldown} />
        <Today cooldown={cooldown} />
      </div>
      <Card
        title="Cooldowns"
        help={
          'Cooldowns get longer with each decline. The count resets at midnight UTC; ' +
          'a running cooldown continues.'
        }
      >
        <CooldownLadder declines={counted} />
      </Card>
      <Card
        title="Rests"
        help={
          `After ${rests.after} offers in a row that you decline, or let run out after you saw them or ` +
          `stayed online for ${formatMinutes(rests.hereMinutes)}, you rest. One you left unopened counts ` +
          'if the one before it ran out unopened, too. An acceptance starts the count over.'
        }
      >
        <p className="mb-3 text-14 text-ink-2">{rowLabel(cooldown.refusals)}</p>
        <RestLadder refusals={cooldown.refusals} isResting={isResting} />
      </Card>
      <Card title="Declined today" help="Since midnight UTC." padding="none">
        <Table
          caption="Declined today"
          columns={historyColumns}
          rows={cooldown.history}
          rowKey={(row) => row.id}
          empty={{
            icon: <History />,
            title: 'Nothing declined today',
            text: 'The first decline of a day has no cooldown.',
          }}
        />
      </Card>
      <Tips />
    </>
  )
}

function isCooling({ cooldownUntil }: Cooldown, now: number) {
  return cooldownUntil !== null && Date.parse(cooldownUntil) > now
}

function rowLabel(refusals: number): string {
  if (refusals === 0) return 'You accepted your last offer, or had none yet.'
  return `${refusals === 1 ? '1 offer' : `${refusals} offers`} not accepted since you last accepted one.`
}

function Timer({ cooldown }: { cooldown: Cooldown }) {
  const now = useServerNow()
  const { isRest, until, start } = waitOf(cooldown, now)
  const left = Math.max(0, until - now)
  const isOn = left > 0
  const share = elapsedShare(start, until, now)
  const other = useOtherRefusal()
  return (
    <Card>
      <div className="flex items-center gap-6 max-sm:flex-col max-sm:text-center">
        <ProgressRing
          value={share}
          size={132}
          stroke={8}
          tone={isOn ? 'warning' : 'success'}
          label={isRest ? 'Rest passed' : 'Cooldown passed'}
          valueText={isOn ? `${formatDuration(left)} left` : 'No cooldown'}
        >
          <span role="timer" aria-live="off">
            <RingText size={132}>{hoursAndMinutes(left)}</RingText>
          </span>
        </ProgressRing>
        <div className="min-w-0 flex-1 max-sm:w-full">
          <h2 className="text-18 font-semibold text-ink">
            {isOn ? (isRest ? 'Resting' : 'On cooldown') : other ? 'No cooldown' : 'Available'}
          </h2>
          <p className="mt-1 text-14 text-pretty text-ink-2">
            {isOn
              ? 'You won’t get new offers until it ends. Reviews you have accepted are not affected.'
              : (other ?? 'You have no cooldown, so you can get an offer at any time.')}
          </p>
          <dl className="mt-4 text-14">
            <dt className="text-13 text-ink-3">Next available</dt>
            <dd className="font-medium text-ink">
              {isOn
                ? `${formatDateTime(until)}, ${formatDuration(left)} left`
                : other
                  ? 'As soon as that changes'
                  : 'Now'}
            </dd>
          </dl>
          <ProgressBar
            value={share}
            label={`Part of the ${isRest ? 'rest' : 'cooldown'} that has passed`}
            tone={isOn ? 'warning' : 'accent'}
            className="mt-3"
          />
        </div>
      </div>
    </Card>
  )
}

/** What keeps offers away, other than a cooldown or a rest, whose end this page knows by the clock. */
function useOtherRefusal(): string | null {
  const refusal = useQuery(api.matching.getBalance.queryOptions()).data?.offerRefusal
  return !refusal || refusal.code === 'COOLDOWN' || refusal.code === 'RESTING' ? null : refusal.message
}

function Today({ cooldown }: { cooldown: Cooldown }) {
  return (
    <Card title="Today and this week">
      <dl className="flex items-baseline justify-between gap-4 border-b border-line pb-4">
        <dt className="text-14 text-ink-2">Declines today</dt>
        <dd className="text-right">
          <span className="tabular text-22 font-semibold text-ink">{cooldown.declinesToday}</span>
          {cooldown.freeDeclinesToday > 0 ? (
            <span className="block text-13 text-ink-2">
              and {cooldown.freeDeclinesToday} that don’t count
            </span>
          ) : null}
        </dd>
      </dl>
      <Limit name="Accepted today" count={cooldown.acceptedToday} most={acceptLimits.perDay} />
      <Limit name="Accepted in 7 days" count={cooldown.acceptedInWeek} most={acceptLimits.perWeek} />
    </Card>
  )
}

function Limit({ name, count, most }: { name: string; count: number; most: number }) {
  return (
    <div className="mt-4">
      <p className="flex items-baseline justify-between gap-4 text-14 text-ink-2">
        {name}{' '}
        <span className="tabular font-medium text-ink">
          {count} of {most}
        </span>
      </p>
      <ProgressBar
        value={count / most}
        label={name}
        valueText={`${count} of ${most}`}
        tone={count >= most ? 'warning' : 'accent'}
        className="mt-2"
      />
    </div>
  )
}

type Decline = Cooldown['history'][number]

// On phones a decline is one cell with its cooldown: four columns are wider than the page.
const historyColumns: readonly Column<Decline>[] = [
  {
    id: 'time',
    header: 'Time',
    width: '10rem',
    wide: true,
    cell: (row) => <Declined row={row} />,
  },
  {
    id: 'product',
    header: 'Product',
    cell: (row) => (
      <>
        <span className="line-clamp-2 wrap-anywhere sm:min-w-40">{row.productTitle}</span>
        <span className="block text-13 text-pretty text-ink-2 sm:hidden">
          <Declined row={row} /> · {reasonLabel(row)}
        </span>
      </>
    ),
  },
  {
    id: 'reason',
    header: 'Reason',
    wide: true,
    cell: (row) => (
      <span className={row.reason ? 'whitespace-nowrap' : 'whitespace-nowrap text-ink-3'}>
        {reasonLabel(row)}
      </span>
    ),
  },
  {
    id: 'cooldown',
    header: 'Cooldown',
    align: 'right',
    width: '9rem',
    cell: (row) => (
      <span className={row.cooldownAppliedMinutes > 0 ? 'whitespace-nowrap' : 'whitespace-nowrap text-ink-3'}>
        {appliedLabel(row)}
      </span>
    ),
  },
]

function Declined({ row }: { row: Decline }) {
  return (
    <time dateTime={row.createdAt} className="whitespace-nowrap">
      {formatDayTime(row.createdAt)}
    </time>
  )
}

function reasonLabel({ reason }: Decline): string {
  return reason ? declineReasons[reason] : 'Not given'
}

function appliedLabel({ cooldownAppliedMinutes, counted }: Decline): string {
  if (cooldownAppliedMinutes > 0) return formatMinutes(cooldownAppliedMinutes)
  return counted ? 'None' : 'Not counted'
}

function Tips() {
  return (
    <Card title="Good to know">
      <ul className="grid gap-x-8 gap-y-3 text-14 text-pretty text-ink-2 sm:grid-cols-2">
        {tips.map((tip) => (
          <li key={tip} className="flex gap-2.5">
            <CircleSlash size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-3" />
            {tip}
          </li>
        ))}
      </ul>
      <p className="mt-4 text-14 text-ink-2">
        Does something look wrong? <TextLink href={paths.support()}>Contact Support</TextLink>.
      </p>
    </Card>
  )
}

const tips = [
  `Up to ${freeDeclinesPerDay} declines a day don’t count: if you own the product, have a conflict of ` +
    'interest, can’t use the format, or the listing is broken.',
  'Letting an offer expire is not a decline and starts no cooldown. ' +
    `If you saw it, stayed online for ${formatMinutes(rests.hereMinutes)}, or left the one before ` +
    'unopened, too, it counts toward a rest.',
  'Closing an offer does not answer it. It stays in the top bar until it expires.',
  'A cooldown doesn’t affect reviews you have accepted. Their deadlines stay the same.',
]

function Waiting() {
  return (
    <Loading label="Loading your cooldown status" className="flex flex-col gap-6">
      <div className="grid gap-4 lg:grid-cols-[1.3fr_1fr]">
        <Skeleton className="h-44 rounded-12" />
        <Skeleton className="h-44 rounded-12" />
      </div>
      <Skeleton className="h-64 rounded-12" />
      <Skeleton className="h-48 rounded-12" />
    </Loading>
  )
}
