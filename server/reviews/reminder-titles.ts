// What the reviewer reads first in a reminder: on the website, and as the subject of the mail.
import { count } from '#contract/format.ts'
import { lastReminderHours, reminderHours } from '#contract/reviews.ts'

/**
 * The deadlines of which a reviewer is reminded. The numbers are hours after the acceptance when no one
 * extends the deadline. They are part of the keys of reminders that were sent.
 */
export type Reminder = 'buy-24' | 'buy-60' | 'buy-late' | 'write-last' | 'answer-last'

/** Whole days are written in days: “2 days left”, but “12 hours left”. */
function left(hours: number) {
  return `${hours % 24 === 0 ? count(hours / 24, 'day') : count(hours, 'hour')} left`
}

const [firstHours, secondHours] = reminderHours

export const reminderTitles: Record<Reminder, string> = {
  'buy-24': `${left(firstHours)} to buy`,
  'buy-60': `${left(secondHours)} to buy`,
  'buy-late': 'Your purchase is late',
  'write-last': `${left(lastReminderHours)} to review`,
  'answer-last': `${left(lastReminderHours)} to answer`,
}
