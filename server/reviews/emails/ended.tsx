import { strikes } from '#contract/matching-rules.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { Letter } from './letter.tsx'

/** To the reviewer: the review counts. `props`: name, product, reviewId. */
export function reviewGiven(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your review is verified',
    body: (
      <Letter
        props={props}
        site={site}
        title="Your review is verified"
        paragraphs={[
          'your review is verified and counts as one given.',
          'Ready for one in return? Ask for a review of one of your own products.',
        ]}
        button={{ label: 'Go to my products', path: '/dashboard' }}
      />
    ),
  }
}

/** To the seller: the review is final. `props`: name, product, reviewId. */
export function reviewReceived(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'You received a verified review',
    body: (
      <Letter
        props={props}
        site={site}
        title="You received a verified review"
        paragraphs={['the review of your product is verified. You can read it now.']}
        button={{ label: 'Read the review', path: `/reviews/received/${props.reviewId}` }}
      />
    ),
  }
}

/** To the reviewer who missed the deadline. `props`: name, product, reviewId. */
export function reviewMissed(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'You missed a review',
    body: (
      <Letter
        props={props}
        site={site}
        title="You missed a review"
        paragraphs={[
          'the deadline for your review has passed.',
          'It counts as a missed review. ' +
            `With ${strikes.limit} in ${strikes.days} days, an account is suspended.`,
          'Was there a reason, such as a coupon that didn’t work? Let us know.',
        ]}
        button={{ label: 'Write to us', path: '/support' }}
      />
    ),
  }
}

/** To the seller whose review was not finished. `props`: name, product, reviewId, goesOn. */
export function reviewNotFinished(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A review was not finished',
    body: (
      <Letter
        props={props}
        site={site}
        title="A review was not finished"
        paragraphs={[
          'the member who accepted didn’t finish in time. We’re sorry.',
          ...(props.goesOn
            ? [
                'Your request keeps its place in the queue and goes to another member. You don’t ' +
                  'have to do anything.',
              ]
            : []),
        ]}
        button={{ label: 'Go to my products', path: '/dashboard' }}
      />
    ),
  }
}

/** To the reviewer whose seller left the club. `props`: name, product, reviewId. */
export function reviewEnded(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A review has ended',
    body: (
      <Letter
        props={props}
        site={site}
        title="A review has ended"
        paragraphs={[
          'the seller of a product you were reviewing has left the club. You don’t have to write ' +
            'the review, and it doesn’t count as missed.',
          'You’ll get other offers as usual.',
        ]}
        button={{ label: 'Open the review', path: `/reviews/${props.reviewId}` }}
      />
    ),
  }
}
