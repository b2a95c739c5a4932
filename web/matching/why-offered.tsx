import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { escalationHours } from '#contract/matching-rules.ts'
import type { OfferReasons } from '#contract/waiting.ts'
import { hours } from '#contract/format.ts'
import { api } from '#web/api.ts'
import { formatNumber } from '#web/kit/time.ts'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'

/** Why the rotation asked the reader, read when it is opened. `id`: of the request or of the review. */
export function WhyOffered({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="group text-13" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary
        className={
          '-mx-1.5 flex w-fit cursor-pointer list-none items-center gap-1 rounded-6 px-1.5 py-1 ' +
          'font-medium text-accent-ink pointer-coarse:min-h-10 [&::-webkit-details-marker]:hidden'
        }
      >
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        Why did I get this offer?
      </summary>
      <div className="mt-2">{open ? <Reasons id={id} /> : null}</div>
    </details>
  )
}

function Reasons({ id }: { id: string }) {
  const query = useQuery({
    ...api.matching.explainOffer.queryOptions({ input: { id } }),
    // What a draw recorded never changes.
    staleTime: Infinity,
  })
  if (query.data) return <InSteps reasons={query.data} />
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
    <Loading label="Loading why you were asked" className="flex flex-col gap-2">
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-4/5" />
    </Loading>
  )
}

const order =
  'Those who received more than they gave come first, then those who are even, and in each group those who ' +
  'have waited longest for an offer.'
const groups: Record<NonNullable<OfferReasons['group']>, string> = {
  owes:
    'Counting your open requests and the reviews being written for you, you had received more than you ' +
    'gave. Those members come first, and among them those who have waited longest for an offer.',
  even: `You were even, counting what was in progress. ${order}`,
  ahead:
    'You had given more than you received. Members who are ahead are asked last, and only if a review for ' +
    'them is on its way or the request has waited long enough.',
}

function InSteps({ reasons: { here, lookedAt, group } }: { reasons: OfferReasons }) {
  const steps = [
    here
      ? 'You were here when the draw ran. Members who are here are asked first.'
      : `You were away. After ${hours(escalationHours.absent)}, a request goes to members who are away too.`,
    group ? groups[group] : order,
    'The draw looked at the next members in this order' +
      `${lookedAt ? `, at least ${formatNumber(lookedAt)}` : ''}. ` +
      `Of those ${group ? 'in your group ' : ''}who may review this product, this request’s lottery ` +
      'picked you. Its numbers were set before anyone knew who’d be here.',
  ]
  return (
    <div className="flex flex-col gap-2.5 text-pretty text-ink-2">
      <ol className="flex list-decimal flex-col gap-2 pl-4.5">
        {steps.map((step) => (
          <li key={step} className="pl-1.5 marker:text-ink-3 marker:tabular-nums">
            {step}
          </li>
        ))}
      </ol>
      <p>
        Stars and what reviews said play no part in it, and neither of you chose the other. You don’t learn
        who the seller is, and they don’t learn who you are.
      </p>
    </div>
  )
}
