import type { ReactNode } from 'react'
import { z } from 'zod'
import { hours } from '#contract/format.ts'
import { takenBackHours } from '#contract/matching-rules.ts'
import { pauseEveryDays, pauseLongestDays } from '#contract/membership.ts'
import type { Billing } from '#contract/membership.ts'
import { client } from '#web/api.ts'
import { Form, SubmitButton } from '#web/kit/form.tsx'
import { dayOf, formatDateTime, useServerNow, zoneName } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/kit/ui/dialog.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { useRefetchBilling } from './billing.ts'

type PauseDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  billing: Billing
  acceptedReviews: ReactNode
}

const dayMs = 86_400_000
const range = `Choose a day within the next ${pauseLongestDays} days.`

/** Shows the reviews that keep their deadlines first, then what stops and until when, and pauses. */
export function PauseDialog({ open, onOpenChange, billing, acceptedReviews }: PauseDialogProps) {
  const refetch = useRefetchBilling()
  const now = useServerNow(open)
  const { reviewsToWrite } = billing
  const choice = z.object({ until: z.string().refine((until) => daysUntil(until, now) !== null, range) })
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Pause your membership">
      {reviewsToWrite > 0 ? (
        <section aria-label="Reviews that keep their deadlines" className="mb-5">
          <h3 className="text-14 font-semibold text-ink">
            {reviewsToWrite === 1
              ? 'A review you’ve accepted keeps its deadline'
              : `${reviewsToWrite} reviews you’ve accepted keep their deadlines`}
          </h3>
          {acceptedReviews}
        </section>
      ) : null}
      <ul className="mb-5 list-disc space-y-1 pl-5 text-14 text-pretty text-ink-2 marker:text-ink-3">
        <li>You get no offers and owe no new reviews. An offer you haven’t answered is withdrawn.</li>
        <li>
          Your requests wait and keep their places in the queue. If a member is being asked about one right
          now, that offer ends, and the request waits at least {hours(takenBackHours)}.
        </li>
        <li>
          Nothing is charged while you’re paused. We take the days you’ve paid for and not used off your next
          payment.
        </li>
        <li>You can come back earlier, or cancel. You can pause once in {pauseEveryDays} days.</li>
      </ul>
      <Form
        label="Pause"
        schema={choice}
        defaultValues={{ until: dayOf(now + pauseLongestDays * dayMs) }}
        onSubmit={async ({ until }) => {
          const days = daysUntil(until, now) ?? pauseLongestDays
          await client.membership.pauseMembership({ days })
          await refetch()
          onOpenChange(false)
          toast({ title: 'Your membership is paused', tone: 'success' })
        }}
      >
        {({ values: { until }, errors }) => (
          <>
            <Field
              name="until"
              label="I’m away until"
              // A wrong day has the same words as its error.
              help={errors['until'] ? undefined : resumes(until, now)}
              className="max-w-72"
            >
              <Input type="date" min={dayOf(now + dayMs)} max={dayOf(now + pauseLongestDays * dayMs)} />
            </Field>
            <DialogFooter>
              <Button onClick={() => onOpenChange(false)}>Don’t pause</Button>
              <SubmitButton busyLabel="Pausing...">Pause membership</SubmitButton>
            </DialogFooter>
          </>
        )}
      </Form>
    </Dialog>
  )
}

function resumes(until: string, now: number): string {
  const days = daysUntil(until, now)
  if (days === null) return range
  return `Resumes automatically on ${formatDateTime(now + days * dayMs)} (${zoneName()}).`
}

/** The days from today on the reader's clocks; null for a day that a pause may not end on. */
function daysUntil(until: string, now: number): number | null {
  const days = Math.round((Date.parse(until) - Date.parse(dayOf(now))) / dayMs)
  return days >= 1 && days <= pauseLongestDays ? days : null
}
