import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { reminderTitles } from '../reminder-titles.ts'
import type { Reminder } from '../reminder-titles.ts'
import { Letter } from './letter.tsx'

/**
 * To the reviewer who accepted, with the deadlines. `props`: name, product, reviewId, purchaseDueAt, dueAt.
 */
export function reviewAccepted(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'You accepted a review',
    body: (
      <Letter
        props={props}
        site={site}
        title="You accepted a review"
        paragraphs={[
          'thanks for taking this one. Buy the product with its coupon, use it, and write what ' +
            'you honestly think.',
          'Keep the order number or a screenshot of the receipt to prove the purchase. A ' +
            'critical review counts exactly as much as any other.',
        ]}
        deadlines={[
          { label: 'Buy by', at: props.purchaseDueAt },
          { label: 'Review by', at: props.dueAt },
        ]}
        button={{ label: 'Get the coupon link', path: `/reviews/${props.reviewId}` }}
      />
    ),
  }
}

/** To the seller: a member has accepted. `props`: name, product, reviewId, dueAt. */
export function reviewUnderWay(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your review is under way',
    body: (
      <Letter
        props={props}
        site={site}
        title="Your review is under way"
        paragraphs={[
          'a member will review your product. They’ll buy it with your coupon, use it and write about it.',
          'Please keep the coupon working until then. You don’t have to do anything else.',
        ]}
        deadlines={[{ label: 'Review due', at: props.dueAt }]}
        button={{ label: 'See its status', path: `/reviews/received/${props.reviewId}` }}
      />
    ),
  }
}

const reminders: Record<Reminder, string> = {
  'buy-24': 'there’s still time to buy the product with its coupon and add your proof of purchase.',
  'buy-60': 'your time to buy the product with its coupon is almost over.',
  'buy-late': 'your time to buy the product is over. You can still buy it and finish the review in time.',
  'write-last': 'please submit your review before the deadline. After that, it counts as missed.',
  'answer-last': 'your review was returned. Edit it, or stand by it, before the deadline.',
}

/** To the reviewer, before a deadline. `props`: name, product, reviewId, reminder, dueAt. */
export function reviewReminder(props: MailProps, site: MailSite): Mail {
  // What notifyReminder passed on.
  const reminder = props.reminder as Reminder
  const subject = reminderTitles[reminder]
  return {
    subject,
    body: (
      <Letter
        props={props}
        site={site}
        title={subject}
        paragraphs={[reminders[reminder]]}
        deadlines={[{ label: 'Deadline', at: props.dueAt }]}
        button={{ label: 'Open the review', path: `/reviews/${props.reviewId}` }}
      />
    ),
  }
}
