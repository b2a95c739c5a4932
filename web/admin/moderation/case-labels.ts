import { readRule } from '#contract/moderation.ts'
import type { CaseOutcome, CaseRule, CaseState, CaseSubject } from '#contract/moderation.ts'
import type { BadgeTone } from '#web/kit/ui/badge.tsx'

/** The outcome of a decision, in a word. */
export const outcomeLabels: Record<CaseOutcome, string> = {
  dismissed: 'Dismissed',
  returned: 'Returned for an edit',
  removed: 'Removed',
  sanctioned: 'Sanction alone',
}

/** Where a case stands. */
export const caseStates: Record<CaseState, { label: string; tone: BadgeTone }> = {
  open: { label: 'Open', tone: 'warning' },
  returned: { label: 'Waits for the reviewer', tone: 'info' },
  second_look: { label: 'Second look', tone: 'warning' },
  closed: { label: 'Closed', tone: 'neutral' },
}

/** The reasons of the reports of a case, in a line. */
export function reasonsOf({
  subject,
  reasons,
  flagged,
}: {
  subject: CaseSubject
  reasons: CaseRule[]
  flagged: boolean
}) {
  const given = reasons.map((reason) => readRule(subject, reason).reason)
  return [...given, ...(flagged ? ['Pointed out by an automatic check'] : [])].join(' · ')
}
