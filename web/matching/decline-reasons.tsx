import { cooldownMinutes, declineReasons, isFreeDecline } from '#contract/matching.ts'
import type { DeclineReason } from '#contract/matching.ts'
import { formatSoon, serverNow } from '#web/kit/time.ts'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { formatMinutes, ordinal } from './offer-labels.ts'

// The contract lists the reasons in the order in which they are shown.
const all = Object.keys(declineReasons) as DeclineReason[] // Its keys are the reasons.
const counted = optionsOf(all.filter((reason) => !isFreeDecline(reason)))
const free = optionsOf(all.filter(isFreeDecline))

type DeclineReasonsProps = {
  value: DeclineReason | null
  onValueChange: (reason: DeclineReason) => void
  /** Counted declines of this UTC day, without the current one. */
  declinesToday: number
}

/** Asks for an optional reason for a decline, and says whether the decline has a cooldown. */
export function DeclineReasons({ value, onValueChange, declinesToday }: DeclineReasonsProps) {
  const isFree = isFreeDecline(value)
  return (
    <section aria-label="Reason">
      <h3 className="text-13 font-semibold text-ink">
        Why not? <span className="font-normal text-ink-3">(optional)</span>
      </h3>
      <RadioGroup
        label="Reasons"
        options={counted}
        value={isFree ? null : value}
        onValueChange={onValueChange}
        className="mt-2"
      />
      <p className="my-2.5 flex items-center gap-3 text-12 font-medium text-ink-3">
        No penalty
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
      </p>
      <RadioGroup
        label="Reasons without penalty"
        options={free}
        value={isFree ? value : null}
        onValueChange={onValueChange}
      />
      <output className="mt-3 block min-h-10 rounded-8 bg-sunken px-3 py-2 text-13 text-ink-2">
        {value === 'other' || (!isFree && declinesToday >= 1) ? (
          <span className="block">After 2 declines today, you'll wait before seeing new offers.</span>
        ) : null}
        <span className="block">{consequence(value, declinesToday)}</span>
      </output>
    </section>
  )
}

function optionsOf(reasons: DeclineReason[]) {
  return reasons.map((reason) => ({ value: reason, label: declineReasons[reason] }))
}

function consequence(reason: DeclineReason | null, declinesToday: number): string {
  if (isFreeDecline(reason)) return 'This decline doesn’t count, and it helps us match you better.'
  const nth = declinesToday + 1
  const minutes = cooldownMinutes(nth)
  return minutes === 0
    ? `This is your ${ordinal(nth)} decline today. It has no cooldown.`
    : `This is your ${ordinal(nth)} decline today. You won’t get new offers for ${formatMinutes(minutes)}, until ${formatSoon(serverNow() + minutes * 60_000)}.`
}
