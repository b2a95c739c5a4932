import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { Letter } from './letter.tsx'

/** To the reviewer whose proof our staff refused. `props`: name, product, reviewId, reason, dueAt. */
export function proofRefused(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your proof of purchase was not accepted',
    body: (
      <Letter
        props={props}
        site={site}
        title="Your proof of purchase was not accepted"
        paragraphs={[
          'our staff looked at your proof of purchase and couldn’t accept it.',
          `The reason: ${String(props.reason)}`,
          'Please add another one. A text that you submitted is your draft again, and nothing is lost.',
        ]}
        deadlines={[{ label: 'Add it by', at: props.dueAt }]}
        button={{ label: 'Open the review', path: `/reviews/${props.reviewId}` }}
      />
    ),
  }
}

/** To both sides of a review that our staff ended. `props`: name, product, reason, after, href. */
export function reviewEndedByStaff(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A review was ended by our staff',
    body: (
      <Letter
        props={props}
        site={site}
        title="A review was ended by our staff"
        paragraphs={[
          'our staff ended a review that you were part of. It counts against neither side.',
          `The reason: ${String(props.reason)}`,
          String(props.after),
        ]}
        button={{ label: 'Open the review', path: String(props.href) }}
      />
    ),
  }
}
