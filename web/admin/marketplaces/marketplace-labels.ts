import type { Lane } from '#contract/products.ts'
import type { BadgeTone } from '#web/kit/ui/badge.tsx'

/** Each lane with its label, its color and what it means. */
export const laneLabels: Record<Lane, { label: string; tone: BadgeTone; help: string }> = {
  public: {
    label: 'Public',
    tone: 'success',
    help: 'Reviews are posted on the marketplace and begin with the disclosure.',
  },
  private: {
    label: 'Private',
    tone: 'info',
    help: 'Reviews are feedback to the seller and are never posted.',
  },
  closed: { label: 'Closed', tone: 'danger', help: 'Nothing is offered, accepted or connected.' },
}

/** What an action of the record did to an entry. */
export const actionLabels: Record<string, string> = {
  marketplace_edited: 'Entry changed',
  marketplace_checked: 'Policy read again',
  marketplace_closed: 'Closed',
  marketplace_reopened: 'Opened again',
}

/** When the next check is, or for how long it has been due. */
export function checkState(overdueDays: number): { text: string; tone: BadgeTone } {
  if (overdueDays > 0) return { text: `Overdue by ${days(overdueDays)}`, tone: 'danger' }
  if (overdueDays === 0) return { text: 'Due today', tone: 'warning' }
  return { text: `In ${days(-overdueDays)}`, tone: overdueDays >= -14 ? 'warning' : 'neutral' }
}

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`
