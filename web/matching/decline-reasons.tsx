import { hours } from '#contract/format.ts'
import {
  cooldownMinutes,
  declineReasons,
  freeDeclinesPerDay,
  isFreeDecline,
  isHonestReason,
  restHours,
} from '#contract/matching-rules.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import { formatSoon, serverNow } from '#web/kit/time.ts'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { formatMinutes, ordinal } from './offer-labels.ts'

// The contract lists the reasons in the order in which they are shown.
const all = Object.keys(declineReasons) as DeclineReason[] // Its keys are the reasons.
const counted = optionsOf(all.filter((reason) => !isHonestReason(reason)))
const honest = optionsOf(all.filter(isHonestReason))

type DeclineReasonsProps = {
  value: DeclineReason | null
  onValueChange: (reason: DeclineReason) => void
  /** Counted declines of this UTC day, without the current one. */
  declinesToday: number
  /** Declines of this UTC day without a cooldown, without the current one. */
  freeDeclinesToday: number
  /** Offers in a row before this one that the member did not accept. */
  refusals: number
}

/** Asks for an optional reason for a decline, and says what it costs: a cooldown, a rest or nothing. */
export function DeclineReasons({
  value,
  onValueChange,
  declinesToday,
  freeDeclinesToday,
  refusals,
}: DeclineReasonsProps) {
  const isHonest = isHonestReason(value)
  const isFree = isFreeDecline(value, freeDeclinesToday)
  const cost = isFree ? 'This decline doesn’t count.' : cooldownAfter(declinesToday) + restAfter(refusals)
  const freeLeft = Math.max(0, freeDeclinesPerDay - freeDeclinesToday)
  return (
    <section aria-label="Reason">
      <h3 className="text-13 font-semibold text-ink">
        Why not? <span className="font-normal text-ink-3">(optional)</span>
      </h3>
      <RadioGroup
        label="Reasons"
        options={counted}
        value={isHonest ? null : value}
        onValueChange={onValueChange}
        className="mt-2"
      />
      <p className="my-2.5 flex items-center gap-3 text-12 font-medium text-ink-3">
        {freeLeft > 0 ? `No penalty, ${freeLeft} left today` : 'No more without penalty today'}
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
      </p>
      <RadioGroup
        label="Reasons without penalty"
        options={honest}
        value={isHonest ? value : null}
        onValueChange={onValueChange}
      />
      <output className="mt-3 block min-h-10 rounded-8 bg-sunken px-3 py-2 text-13 text-ink-2">
        {value === 'other' || (!isFree && declinesToday >= 1) ? (
          <span className="block">After 2 declines today, you'll wait before seeing new offers.</span>
        ) : null}
        <span className="block">
          {cost} {value && remembered[value]}
        </span>
      </output>
    </section>
  )
}

function optionsOf(reasons: DeclineReason[]) {
  return reasons.map((reason) => ({ value: reason, label: declineReasons[reason] }))
}

/** What each honest reason changes from now on. */
const remembered: Partial<Record<DeclineReason, string>> = {
  already_own: 'You won’t be offered this product again.',
  conflict:
    'You two will never review each other. Beyond your limit of conflicts, only this product stays away.',
  broken_listing: 'If a second member reports it, it leaves the rotation.',
  cannot_use_format:
    'You won’t be offered this category in this format. You can undo that in Settings. Once half of the ' +
    'club’s products are left out, only this product stays away.',
}

function cooldownAfter(declinesToday: number): string {
  const nth = declinesToday + 1
  const minutes = cooldownMinutes(nth)
  return minutes === 0
    ? `This is your ${ordinal(nth)} decline today. It has no cooldown.`
    : `This is your ${ordinal(nth)} decline today. ` +
        `You won’t get new offers for ${formatMinutes(minutes)}, ` +
        `until ${formatSoon(serverNow() + minutes * 60_000)}.`
}

function restAfter(refusals: number): string {
  const rest = restHours(refusals + 1)
  return rest === 0
    ? ''
    : ` It’s the ${ordinal(refusals + 1)} offer in a row that you don’t accept, ` +
        `so you rest for ${hours(rest)}.`
}
