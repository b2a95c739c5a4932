import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { Letter } from './letter.tsx'

/** To either side: the review ended with its marketplace. `props`: name, product, reviewId, mine, why. */
export function reviewClosed(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A review ended because its marketplace closed',
    body: (
      <Letter
        props={props}
        site={site}
        title="A review ended"
        paragraphs={[
          'we closed the marketplace of this product, so its review in progress ended.',
          props.mine
            ? 'You don’t need to write it, and it doesn’t count as missed. ' +
              'If you paid for the product, you keep it.'
            : 'You don’t lose anything: your request keeps its place and waits ' +
              'until the marketplace is open again.',
          `Why we closed it: ${props.why}`,
        ]}
        button={
          props.mine ? { label: 'All reviews', path: '/reviews' } : { label: 'My products', path: '/assets' }
        }
      />
    ),
  }
}

/** To either side: the review goes on as private feedback. `props`: name, product, reviewId, mine. */
export function reviewPrivate(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A review goes on as private feedback',
    body: (
      <Letter
        props={props}
        site={site}
        title="A review goes on as private feedback"
        paragraphs={[
          'from now on, reviews of this product’s marketplace are not posted there.',
          props.mine
            ? 'Please finish your review here as usual, by the same deadline, and don’t post it. Only ' +
              'the seller reads it. It counts like any other.'
            : 'The member finishes the review here. You read it once it is verified, and it counts like ' +
              'any other. Nothing is posted.',
        ]}
        button={
          props.mine
            ? { label: 'Open the review', path: `/reviews/${props.reviewId}` }
            : { label: 'See the review', path: `/reviews/received/${props.reviewId}` }
        }
      />
    ),
  }
}
