import { confirmHours, returnReasons } from '#contract/reviews.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { Letter } from './letter.tsx'

/** Asks the seller to check the review. `props`: name, product, reviewId, dueAt. */
export function reviewToConfirm(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A review is ready for you to check',
    body: (
      <Letter
        props={props}
        site={site}
        title="A review is ready for you to check"
        paragraphs={[
          'the review of your product is in. Please check that it’s published and opens with the disclosure.',
          `If you don’t answer, it counts automatically after ${confirmHours} hours. What it ` +
            'says is the member’s own opinion, and that’s no reason to send it back.',
        ]}
        deadlines={[{ label: 'Check by', at: props.dueAt }]}
        button={{ label: 'Check the review', path: `/reviews/received/${props.reviewId}` }}
      />
    ),
  }
}

/** To the reviewer of a returned review. `props`: name, product, reviewId, reason, dueAt. */
export function reviewReturned(props: MailProps, site: MailSite): Mail {
  // A reason from the closed list. An unknown one is left out.
  const reason = returnReasons[props.reason as keyof typeof returnReasons]
  return {
    subject: 'Your review was returned',
    body: (
      <Letter
        props={props}
        site={site}
        title="Your review was returned"
        paragraphs={[
          reason
            ? `the seller says: “${reason}.”`
            : 'the seller says that something is wrong with the review.',
          'Fix it, or submit it unchanged if nothing is wrong with it. This isn’t about your opinion.',
        ]}
        deadlines={[{ label: 'Answer by', at: props.dueAt }]}
        button={{ label: 'Open the review', path: `/reviews/${props.reviewId}` }}
      />
    ),
  }
}
