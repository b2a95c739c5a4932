import type { RequestRules, WaitingRule } from '#contract/staff/health.ts'
import type { Hold } from '#contract/waiting.ts'
import { formatNumber } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'

/** How many members can be asked for a request, or what holds it back. */
export function StandingBadge({ heldBy, askable }: Pick<RequestRules, 'heldBy' | 'askable'>) {
  if (heldBy) return <Badge tone="warning">{holds[heldBy]}</Badge>
  return askable > 0 ? (
    <Badge tone="success">{formatNumber(askable)} can be asked in the next draw</Badge>
  ) : (
    <Badge tone="warning">No one can be asked now</Badge>
  )
}

/** The members whom each rule leaves out. */
export function LeftOut({ excluded }: Pick<RequestRules, 'excluded'>) {
  if (excluded.length === 0) return null
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-13 text-ink-2" aria-label="Members left out">
      {excluded.map(({ rule, members }) => (
        <li key={rule}>
          <span className="tabular font-medium text-ink">{formatNumber(members)}</span> {rules[rule]}
        </li>
      ))}
    </ul>
  )
}

const holds: Record<Hold, string> = {
  marketplace_closed: 'Its marketplace is closed',
  seller_paused: 'Its seller is paused',
  seller_out: 'Its seller isn’t in the rotation',
  seller_at_limit: 'Its seller has received as many reviews as a member may',
  taken_back: 'Its seller paused or declared something while a member was being asked',
  resumes_soon: 'It waited, and resumes at a random moment',
  about_to_resume: 'About to go back into the queue',
}

const rules: Record<WaitingRule, string> = {
  not_taking_part: 'not in the rotation',
  has_offer: 'with another offer open',
  on_cooldown: 'on cooldown, resting or at a limit',
  in_quiet_hours: 'in their quiet hours',
  not_here: 'not here, and the request is too young for absent members',
  own_product: 'sells it',
  overdue: 'with an overdue purchase',
  over_cap: 'ahead: given more than received',
  paired_before: 'met the seller recently',
  reviewed_before: 'reviewed or bought this listing before',
  asked_recently: 'asked about it recently',
  conflict: 'in a declared conflict',
  cannot_take: 'with a reason of their own: owns it, can’t use its format, or reported it',
  not_in_slate: 'outside the share that is drawn from so far',
}
