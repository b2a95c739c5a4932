import { strikes } from '#contract/matching.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { Letter } from './letter.tsx'

/** To the reviewer: it counts. `props`: name, product, reviewId. */
export function reviewGiven(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your review is verified',
    body: (
      <Letter
        props={props}
        site={site}
        title="Your review is verified"
        paragraphs={[
          'your review is verified. You have given one more.',
          'One given is one received: ask for a review of one of your own products whenever you like.',
        ]}
        button={{ label: 'Go to my products', path: '/dashboard' }}
      />
    ),
  }
}

/** To the seller: it is final and can be read. `props`: name, product, reviewId. */
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

/** To the reviewer who missed the deadline. `props`: name, product, reviewId, suspended. */
export function reviewMissed(props: MailProps, site: MailSite): Mail {
  const after = props.suspended
    ? `It was the third missed review in ${strikes.days} days, so your account is suspended. You can still sign in and write to our staff.`
    : `It counts as a missed review. Three in ${strikes.days} days suspend an account.`
  return {
    subject: props.suspended ? 'Your account is suspended' : 'You missed a review',
    body: (
      <Letter
        props={props}
        site={site}
        title={props.suspended ? 'Your account is suspended' : 'You missed a review'}
        paragraphs={[
          'the deadline for your review has passed.',
          after,
          'Was there a reason, such as a coupon that did not work? Tell us.',
        ]}
        button={{ label: 'Write to our staff', path: '/support' }}
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
          'the member who accepted did not finish in time. We are sorry.',
          ...(props.goesOn
            ? ['Your request keeps its place in the queue and goes to somebody else. There is nothing to do.']
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
          'the seller of a product you were reviewing has left the club. You need not write the review, and it does not count as missed.',
          'Other offers reach you as usual.',
        ]}
        button={{ label: 'Open the review', path: `/reviews/${props.reviewId}` }}
      />
    ),
  }
}
