import { emailChangeMinutes } from '#contract/accounts.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'
import { writeValidity } from '#server/kit/mail/moment.ts'

const validityOf = (props: MailProps) => writeValidity(props, `${emailChangeMinutes} minutes`)

// The secret is in the fragment, which browsers never send to a server or put into a referrer.
const linkOf = ({ origin }: MailSite, { token }: MailProps) =>
  `${origin}/auth/callback?type=email_change#token=${String(token)}`

/** To the current address: someone asked to change it. `props`: next, token, expiresAt, and the reader. */
export function oldAddress(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Confirm your change of email address',
    body: (
      <MailLayout
        title="Did you ask to change your email?"
        preview="Nothing changes until you confirm at both addresses."
        why={
          'You’re getting this because someone signed in to your Evenhand account asked to change ' +
          'its email.'
        }
        settings={false}
        {...site}
      >
        <MailText>Someone signed in to your account asked to move it to another address.</MailText>
        <MailFacts facts={[{ label: 'New address', value: String(props.next) }]} />
        <MailText>
          If that was you, confirm it here, and with the link we sent to the new address. Nothing changes
          until you’ve confirmed both.
        </MailText>
        <MailButton href={linkOf(site, props)}>Review this change</MailButton>
        <MailText>
          If it wasn’t you, open the same link and choose “This was not me”. We’ll cancel the change and sign
          everyone out of your account.
        </MailText>
        <MailText quiet>The link works once, {validityOf(props)}. A newer request replaces it.</MailText>
      </MailLayout>
    ),
  }
}

/** To the new address. `props`: username, token, expiresAt, and the reader. */
export function newAddress(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Confirm your new email address',
    body: (
      <MailLayout
        title="Confirm your new address"
        preview={`The link works once, ${validityOf(props)}.`}
        why="You’re getting this because someone asked to use your address for their Evenhand account."
        settings={false}
        {...site}
      >
        <MailText>
          {props.username === null ? 'A member' : <strong>{String(props.username)}</strong>} asked to use this
          address for their account. If that was you, confirm it here, and with the link we sent to your
          current address.
        </MailText>
        <MailButton href={linkOf(site, props)}>Confirm this address</MailButton>
        <MailText>The link works once, {validityOf(props)}. A newer request replaces it.</MailText>
        <MailText quiet>
          If it wasn’t you, you don’t have to do anything. Without this link, no one can use your address.
        </MailText>
      </MailLayout>
    ),
  }
}

/** To both addresses, after the change. `props`: side, 'old' or 'new'. */
export function emailChanged({ side }: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your email address was changed',
    body: (
      <MailLayout
        title="Your email address was changed"
        preview={
          side === 'old'
            ? 'This address no longer belongs to your account.'
            : 'Sign in with this address from now on.'
        }
        why="You’re getting this because the email address of your Evenhand account was changed."
        settings={false}
        {...site}
      >
        {side === 'old' ? (
          <>
            <MailText>
              The change was confirmed at both addresses, so your account no longer uses this one. We won’t
              send more emails here.
            </MailText>
            <MailText>
              If that wasn’t you, someone could read your emails. Secure this mailbox first, then write to us.
            </MailText>
            <MailButton href={`${site.origin}/contact`}>Write to us</MailButton>
          </>
        ) : (
          <>
            <MailText>
              The change was confirmed at both addresses. Use this one to sign in from now on. Nothing else
              has changed. We signed you out on all your other devices.
            </MailText>
            <MailButton href={`${site.origin}/dashboard`}>Open your dashboard</MailButton>
          </>
        )}
      </MailLayout>
    ),
  }
}

/** To the current address, after "This was not me". */
export function emailChangeRefused(_props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Set a new password now',
    body: (
      <MailLayout
        title="Someone was in your account"
        preview="We canceled the change of address and signed everyone out."
        why="You’re getting this because you said that you didn’t ask for a change of address."
        settings={false}
        {...site}
      >
        <MailText>
          You said that you didn’t ask to change your email address. We canceled the change, kept your
          address, and signed everyone out of your account.
        </MailText>
        <MailText>
          The person who asked for it was signed in as you. Please set a new password now, one that you don’t
          use anywhere else.
        </MailText>
        <MailButton href={`${site.origin}/reset-password`}>Set a new password</MailButton>
        <MailText quiet>Check the passkeys and devices in your settings too.</MailText>
      </MailLayout>
    ),
  }
}
