import { dollars } from '#contract/format.ts'
import { graceDays, refundDays } from '#contract/membership.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailFacts, MailLayout, MailText, unlinked } from '#server/kit/mail/layout.tsx'
import { writeMoment } from '#server/kit/mail/moment.ts'

// Every mail about a membership has the same props: name, the reader's locale and timeZone, until, paidUntil,
// graceUntil (moments or null), cents, renewalCents (or null) and isTest.

type Parts = {
  subject: string
  preview: string
  text: string
  facts: (Fact | null)[]
  button?: { label: string; path: string }
  more?: string
}
type Fact = { label: string; value: string }

/** A membership has begun: what was paid, and when it renews. */
export function membershipJoined(props: MailProps, site: MailSite): Mail {
  return billingMail(props, site, {
    subject: 'Your membership is active',
    preview: 'What you paid, and when it renews.',
    text: 'thank you for joining. You take part in the exchange from now on.',
    facts: [
      amount('Paid', props.cents, props),
      time('Renews on', props.paidUntil, props),
      amount('Then', props.renewalCents, props),
    ],
    button: { label: 'Go to the dashboard', path: '/dashboard' },
    more:
      'You can cancel in two clicks on the billing page, which also has your invoices. ' +
      `Within ${refundDays} days of your first payment you can get it back there.`,
  })
}

/** A renewal could not be charged: until when the member takes part, if they do. */
export function paymentFailed(props: MailProps, site: MailSite): Mail {
  const takesPart = props.graceUntil !== null
  return billingMail(props, site, {
    subject: 'Your payment failed',
    preview: 'Please change the card to keep your membership.',
    text:
      'we couldn’t charge your card for your membership. ' +
      (takesPart
        ? `You keep taking part for ${graceDays} days.`
        : 'Since an earlier membership of yours ended unpaid, you get no offers until a payment succeeds.'),
    facts: [
      amount('Amount', props.renewalCents, props),
      time('You take part until', props.graceUntil, props),
    ],
    button: { label: 'Change the card', path: '/billing' },
    more:
      (takesPart ? 'If it is still unpaid then, you get no more offers. ' : '') +
      'Reviews you have accepted keep their deadlines.',
  })
}

/** The payment is still missing, some days later. */
export function paymentReminder(props: MailProps, site: MailSite): Mail {
  return billingMail(props, site, {
    subject: 'Your payment is still missing',
    preview: 'Please change the card to keep your membership.',
    text: 'we still couldn’t charge your card for your membership.',
    facts: [
      amount('Amount', props.renewalCents, props),
      time('You take part until', props.graceUntil, props),
    ],
    button: { label: 'Change the card', path: '/billing' },
    more: 'Don’t want to stay? Then cancel on the same page; nothing more is charged.',
  })
}

/** The missing payment has arrived. */
export function paymentRecovered(props: MailProps, site: MailSite): Mail {
  return billingMail(props, site, {
    subject: 'Your payment arrived',
    preview: 'Your membership continues.',
    text: 'thank you: your payment arrived, and your membership continues.',
    facts: [time('Renews on', props.paidUntil, props)],
  })
}

/** A cancellation: when the membership ends. */
export function membershipCancelled(props: MailProps, site: MailSite): Mail {
  return billingMail(props, site, {
    subject: 'Your membership is canceled',
    preview: 'When it ends, and how to keep it.',
    text: 'your membership is canceled, and nothing more is charged. Until it ends you take part as before.',
    facts: [time('Ends on', props.until, props)],
    button: { label: 'Open billing', path: '/billing' },
    more: 'Changed your mind? Until it ends, you can keep it on the billing page.',
  })
}

/** A cancellation was taken back. */
export function membershipKept(props: MailProps, site: MailSite): Mail {
  return billingMail(props, site, {
    subject: 'Your membership continues',
    preview: 'Your cancellation is taken back.',
    text: 'your cancellation is taken back, and your membership continues.',
    facts: [time('Renews on', props.paidUntil, props), amount('Price', props.renewalCents, props)],
  })
}

/** A pause: until when, and what stays. */
export function membershipPaused(props: MailProps, site: MailSite): Mail {
  return billingMail(props, site, {
    subject: 'Your membership is paused',
    preview: 'You get no offers and pay nothing until it resumes.',
    text:
      'your membership is paused. You get no offers, and nothing is charged. It resumes automatically, ' +
      'and we take the days that you have paid for and not used off your next payment.',
    facts: [time('Resumes on', props.until, props)],
    button: { label: 'Open billing', path: '/billing' },
    more: 'Reviews you have accepted keep their deadlines. You can resume or cancel at any time.',
  })
}

/** A pause is over. */
export function membershipResumed(props: MailProps, site: MailSite): Mail {
  return billingMail(props, site, {
    subject: 'Your pause is over',
    preview: 'You get offers again.',
    text: 'your pause is over. You get offers again, and your requests are back in their places.',
    facts: [time('Your paid period ends on', props.paidUntil, props)],
    button: { label: 'Go to the dashboard', path: '/dashboard' },
  })
}

/** A refund: what goes back, and that the membership has ended. */
export function membershipRefunded(props: MailProps, site: MailSite): Mail {
  return billingMail(props, site, {
    subject: 'Your payment is being refunded',
    preview: 'Your membership has ended.',
    text: 'you get your first payment back, and your membership has ended. Nothing more is charged.',
    facts: [amount('Refund', props.cents, props)],
    more:
      'The money goes back to the card you paid with. Your bank may take some days to show it. Please ' +
      'finish the reviews you have accepted.',
  })
}

/** A bank disputes a payment: the membership is on hold. */
export function membershipDisputed(props: MailProps, site: MailSite): Mail {
  return billingMail(props, site, {
    subject: 'Your membership is on hold',
    preview: 'Your bank reports a payment as disputed.',
    text:
      'your bank reports a payment for your membership as disputed. Until this is settled you get no ' +
      'offers and can’t ask for reviews.',
    facts: [],
    button: { label: 'Write to us', path: '/support' },
    more: 'Is it a mistake? Write to us, and inform your bank. Please finish the reviews you have accepted.',
  })
}

/** A membership is over. `isOpen`: a new one can be bought. */
export function membershipEnded(props: MailProps, site: MailSite): Mail {
  if (props.isOpen === false)
    return billingMail(props, site, {
      subject: 'Your membership has ended',
      preview: 'Paid membership is not open yet.',
      text: 'your membership has ended. Please finish the reviews you have accepted.',
      facts: [],
      button: { label: 'Ask our staff', path: '/support' },
      more:
        'Your account, products and history stay. Paid membership is not open yet. Until it is, our staff ' +
        'grant memberships.',
    })
  return billingMail(props, site, {
    subject: 'Your membership has ended',
    preview: 'Nothing more is charged.',
    text:
      'your membership has ended, and nothing more is charged. ' +
      'Please finish the reviews you have accepted.',
    facts: [],
    button: { label: 'Open billing', path: '/billing' },
    more: 'Your account, products and history stay. You can join again at any time.',
  })
}

const why = 'You’re getting this because it’s about your membership.'

function billingMail(props: MailProps, site: MailSite, parts: Parts): Mail {
  const { subject, preview, text, button, more } = parts
  const facts = parts.facts.filter((fact) => fact !== null)
  return {
    subject,
    body: (
      <MailLayout title={subject} preview={preview} why={why} {...site}>
        <MailText>
          Hi {unlinked(String(props.name))}, {text}
        </MailText>
        {facts.length > 0 ? <MailFacts facts={facts} /> : null}
        {button ? <MailButton href={`${site.origin}${button.path}`}>{button.label}</MailButton> : null}
        {more ? <MailText quiet>{more}</MailText> : null}
      </MailLayout>
    ),
  }
}

function time(label: string, at: MailProps[string] | undefined, props: MailProps): Fact | null {
  return typeof at === 'string' ? { label, value: writeMoment(at, props) } : null
}

function amount(label: string, cents: MailProps[string] | undefined, { isTest }: MailProps): Fact | null {
  if (typeof cents !== 'number') return null
  return { label, value: `${dollars(cents)}${isTest === true ? ' (a test: no money moves)' : ''}` }
}
