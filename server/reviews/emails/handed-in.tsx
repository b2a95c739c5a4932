import { confirmHours, returnReasons } from '#contract/reviews.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { Letter } from './letter.tsx'

/** To the seller: please look whether the review stands. `props`: name, product, reviewId, dueAt. */
export function reviewToConfirm(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A review waits for your check',
    body: (
      <Letter
        props={props}
        site={site}
        title="A review waits for your check"
        paragraphs={[
          'the review of your product is in. Please check that it is there and begins with the disclosure sentence.',
          `Without an answer it counts by itself after ${confirmHours} hours. What it says is the member’s own opinion and no reason to return it.`,
        ]}
        deadlines={[{ label: 'Check until', at: props.dueAt }]}
        button={{ label: 'Check the review', path: `/reviews/received/${props.reviewId}` }}
      />
    ),
  }
}

/** To the reviewer: the seller states a fact. `props`: name, product, reviewId, reason, dueAt. */
export function reviewReturned(props: MailProps, site: MailSite): Mail {
  // A reason from the closed list; an unknown one is left unsaid.
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
            : 'the seller says that the review does not stand as it should.',
          'Put it right, or hand it in as it is when nothing is wrong with it. Your opinion is not in question.',
        ]}
        deadlines={[{ label: 'Answer until', at: props.dueAt }]}
        button={{ label: 'Open the review', path: `/reviews/${props.reviewId}` }}
      />
    ),
  }
}
