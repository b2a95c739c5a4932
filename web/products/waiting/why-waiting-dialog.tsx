import { useQuery } from '@tanstack/react-query'
import { Check, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { hours } from '#contract/format.ts'
import {
  activeBonusHours,
  activeDays,
  offerMinutes,
  resumeHours,
  takenBackHours,
} from '#contract/matching-rules.ts'
import type { ProductCard as Product } from '#contract/products.ts'
import { countSteps } from '#contract/waiting.ts'
import type { Hold, SellerRule, Wait, WaitingStep } from '#contract/waiting.ts'
import { api } from '#web/api.ts'
import {
  formatDateTime,
  formatDuration,
  formatNumber,
  formatSoon,
  formatTime,
  useServerNow,
} from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Dialog } from '#web/kit/ui/dialog.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { paths } from '#web/paths.ts'
import { queuePlace } from './queue-place.ts'

type WhyWaitingDialogProps = { product: Product; open: boolean; onClose: () => void }

/** Why the request of a product waits, what comes next, and what would help. Read when it is opened. */
export function WhyWaitingDialog({ product, open, onClose }: WhyWaitingDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Why am I waiting?"
      description={<span className="wrap-anywhere">{product.title}</span>}
    >
      {open && product.request ? <Explained id={product.request.id} /> : null}
    </Dialog>
  )
}

function Explained({ id }: { id: string }) {
  const query = useQuery({
    ...api.matching.explainWait.queryOptions({ input: { id } }),
    staleTime: 5 * 60_000,
  })
  if (query.data) return <Answer wait={query.data} />
  if (query.isError)
    return (
      <ErrorState
        title="This could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
        error={query.error}
        level={3}
      />
    )
  return (
    <Loading label="Loading why your request waits" className="flex flex-col gap-3">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-16 w-full" />
    </Loading>
  )
}

function Answer({ wait }: { wait: Wait }) {
  if (wait.heldBy !== null) return <Held heldBy={wait.heldBy} until={wait.heldUntil} />
  if (wait.status === 'offered')
    return <Alert title="A member has been asked">They haven’t answered yet.</Alert>
  if (wait.status !== 'queued')
    return <Alert title="This request isn’t waiting anymore">You don’t need to do anything.</Alert>
  const { leftOut, pairWindowDays } = wait
  return (
    <div className="flex flex-col gap-6">
      <Now wait={wait} />
      {wait.steps.length > 0 ? (
        <Part title="What comes next">
          <Steps steps={wait.steps} />
        </Part>
      ) : null}
      <Part title="What would help">
        <Helps wait={wait} />
      </Part>
      {leftOut.length > 0 ? (
        <Part title="Who can’t be asked for it now">
          <ul className="flex list-disc flex-col gap-2 pl-4.5 text-14 text-pretty text-ink-2">
            {leftOut.map(({ rule, members }) => (
              <li key={rule}>
                At least {formatNumber(members)} members {ruleTexts[rule](pairWindowDays)}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      <p className="border-t border-line pt-4 text-13 text-pretty text-ink-3">
        Numbers of members are rounded down, so that they reveal no one. Prices, stars and what reviews said
        play no part in who is asked. <TextLink href={paths.rules()}>All rules</TextLink>
      </p>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="text-13 font-semibold text-ink">{title}</h3>
      <div className="mt-2.5">{children}</div>
    </section>
  )
}

const holds: Record<Hold, { title: string; text: string }> = {
  marketplace_closed: {
    title: 'Its marketplace is closed right now',
    text: 'Your request keeps its place and resumes when the marketplace opens again.',
  },
  seller_paused: {
    title: 'Your membership is paused',
    text: 'Your request keeps its place and resumes after the pause, which you can end in Billing.',
  },
  seller_out: {
    title: 'You aren’t in the rotation right now',
    text: 'Your request keeps its place. The notice at the top of the page says what is missing.',
  },
  seller_at_limit: {
    title: 'You’ve received as many reviews as a member may',
    text: 'Your request keeps its place and its age.',
  },
  taken_back: {
    title: 'You ended an offer while a member was being asked',
    text:
      'You paused, or added something on the Organization page, which ended the offer. Then its request ' +
      `waits ${hours(takenBackHours)}, and up to ${hours(resumeHours)} more so that no one knows the ` +
      'moment: otherwise a draw could be repeated until a certain member is drawn. It keeps its place and ' +
      'its age.',
  },
  resumes_soon: {
    title: 'Your request resumes soon',
    text:
      'It waited for you, or its last review wasn’t finished. It’s drawn again, in its old place, at a ' +
      'moment that no one knows before. Otherwise a seller could choose the moment.',
  },
  about_to_resume: {
    title: 'Your request is about to resume',
    text: 'It returns to its place in the queue within minutes.',
  },
}

function Held({ heldBy, until }: { heldBy: Hold; until: string | null }) {
  const { title, text } = holds[heldBy]
  return (
    <Alert tone="warning" title={title}>
      {text}
      {until ? ` It resumes by ${formatDateTime(until)}.` : ''}
    </Alert>
  )
}

function Now({ wait }: { wait: Wait }) {
  const { position, requestedAt, beaconUntil, couldBeAsked, hereNow } = wait
  const now = useServerNow()
  return (
    <dl
      className={
        'grid grid-cols-[auto_1fr] gap-x-4 gap-y-2.5 ' +
        'rounded-10 border border-line bg-sunken px-4 py-3.5 text-14'
      }
    >
      <Fact name="Waiting">
        {formatDuration(now - Date.parse(requestedAt))}
        {position === null ? '' : `, ${queuePlace(position)} in the queue`}
      </Fact>
      {beaconUntil !== null && now < Date.parse(beaconUntil) ? (
        <Fact name="Draw">Within a minute. It waits for a public random number that no one knows yet.</Fact>
      ) : null}
      <Fact name="Could be asked">{members(couldBeAsked)}</Fact>
      <Fact name="Here right now">{hereNow === 0 ? `${members(0)} of them` : `${members(hereNow)}`}</Fact>
      <Fact name="Typical wait">
        <Typical wait={wait} />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="text-ink">{children}</dd>
    </>
  )
}

function members(count: number) {
  return count === 0 ? `fewer than ${countSteps[0]}` : `at least ${formatNumber(count)} members`
}

function Typical({ wait: { atThisHour, typicalWaitHours } }: { wait: Wait }) {
  const { requests, hours } = atThisHour
  if (hours !== null)
    return `${lasting(hours)} at this time of day, the median of ${formatNumber(requests)} requests`
  const few = 'too few requests at this time of day to say'
  return typicalWaitHours === null ? few : `${lasting(typicalWaitHours)} at any time; ${few}`
}

function lasting(hours: number) {
  return formatDuration(hours * 3_600_000)
}

const stepTexts: Record<WaitingStep['kind'], string> = {
  nudges: 'Members who are away may get a message that a request waits.',
  whole_club: 'Your request is drawn from the whole club, no longer from a part of it.',
  bought: 'Members who are one review ahead can be asked too, if a review for them has been bought.',
  accepted: 'Members who are one review ahead can be asked too, if a review is being written for them.',
  ahead: 'All others who are one review ahead can be asked too.',
  absent: `Members who are away can be asked too, with ${hours(offerMinutes.absent / 60)} to answer.`,
  standby: 'Members who haven’t visited for days can be asked too.',
}

function Steps({ steps }: { steps: WaitingStep[] }) {
  const now = useServerNow()
  return (
    <ol className="flex flex-col gap-2.5 text-14">
      {steps.map(({ kind, at }) => (
        <li key={kind} className="grid grid-cols-[1rem_1fr] gap-x-2.5">
          <Clock size={15} aria-hidden="true" className="mt-0.75 text-ink-3" />
          <span className="text-pretty text-ink-2">
            <time dateTime={at} className="tabular font-medium text-ink">
              From {formatSoon(at, now)}:
            </time>{' '}
            {stepTexts[kind]}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Helps({ wait }: { wait: Wait }) {
  const { busiest, toWrite, movesAhead } = wait
  const ahead =
    `Requests that you make within ${activeDays} days after giving a review ` +
    `move ${activeBonusHours} hours ahead.`
  return (
    <ul className="flex flex-col gap-2.5 text-14">
      {toWrite > 0 ? (
        <Help>
          <TextLink href={paths.reviews()}>Finish the review you owe</TextLink>. {ahead}
        </Help>
      ) : movesAhead ? (
        <Help>You gave a review lately, so the requests that you make now move ahead. Keep it up.</Help>
      ) : (
        <Help>Keep the dashboard open, so that you’re here when the rotation draws you. {ahead}</Help>
      )}
      {busiest ? (
        <Help>
          Most offers are accepted between {formatTime(busiest.from)} and {formatTime(busiest.until)}. Until
          then, your request keeps its place and its age.
        </Help>
      ) : null}
    </ul>
  )
}

function Help({ children }: { children: ReactNode }) {
  return (
    <li className="grid grid-cols-[1rem_1fr] gap-x-2.5">
      <Check size={15} aria-hidden="true" className="mt-0.75 text-accent-ink" />
      <span className="text-pretty text-ink-2">{children}</span>
    </li>
  )
}

const ruleTexts: Record<SellerRule, (pairWindowDays: number | null) => string> = {
  over_cap: () =>
    'have given more than they received. They get offers again once they receive, ' +
    'or once your request is older.',
  paired_before: (days) =>
    days === null
      ? 'have exchanged a review with you. Two members meet only once.'
      : `have exchanged a review with you. Two members meet at most once in ${days} days, ` +
        'and change sides later still.',
  reviewed_before: () => 'have reviewed or bought this product. Another of your products could reach them.',
  asked_recently: () => 'were asked about this product lately. Most can be asked again within three days.',
  cannot_take: () =>
    'own this product, can’t use its format or chose not to be asked. A product of another format or ' +
    'category could reach them.',
}
