import { confirmHours } from '#contract/reviews.ts'
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
