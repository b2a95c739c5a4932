import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailFacts, MailLayout, MailText, unlinked } from '#server/kit/mail/layout.tsx'
import { writeMoment } from '#server/kit/mail/moment.ts'

const why = 'You’re getting this because it changes what you can do at Evenhand.'

/** To a member who was suspended. `props`: name, reason, until or null, automatic. */
export function accountSuspended(props: MailProps, site: MailSite): Mail {
  const until = typeof props.until === 'string' ? writeMoment(props.until, props) : 'Until our staff lifts it'
  return {
    subject: 'Your account is suspended',
    body: (
      <MailLayout
        title="Your account is suspended"
        preview="Why, until when, and what to do."
        why={why}
        settings={false}
        {...site}
      >
        <MailText>
          Hi {unlinked(String(props.name))},{' '}
          {props.automatic ? 'your account is suspended' : 'our staff suspended your account'}. You get no
          offers and can’t ask for reviews. You can still sign in, and please finish the reviews you have
          accepted.
        </MailText>
        <MailFacts
          facts={[
            { label: 'Reason', value: String(props.reason) },
            { label: 'Until', value: until },
          ]}
        />
        <MailText>
          {props.automatic
            ? 'This happened automatically, without a person deciding it. Do you think it’s wrong? Write ' +
              'to us, and a person will look at it.'
            : 'Do you think this is wrong? Write to us, and we’ll look at it again.'}
        </MailText>
        <MailButton href={`${site.origin}/support`}>Write to us</MailButton>
      </MailLayout>
    ),
  }
}

/** To a member whose suspension is over. `props`: name. */
export function suspensionOver(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your suspension is over',
    body: (
      <MailLayout
        title="Your suspension is over"
        preview="You take part in the exchange again."
        why={why}
        settings={false}
        {...site}
      >
        <MailText>
          Hi {unlinked(String(props.name))}, you get offers again, and you can ask for reviews. Requests that
          were on hold are back in their places.
        </MailText>
        <MailButton href={`${site.origin}/dashboard`}>Go to the dashboard</MailButton>
      </MailLayout>
    ),
  }
}
