import { emailChangeMinutes } from '#contract/accounts.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

// The secret stands in the fragment, which browsers send to no server and put into no referrer.
const linkOf = ({ origin }: MailSite, { token }: MailProps) =>
  `${origin}/auth/callback?type=email_change#token=${String(token)}`

/** To the address an account has: somebody wants it to be another one. `props`: next, token. */
export function oldAddress(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Confirm your change of email address',
    body: (
      <MailLayout
        title="Is this change of address yours?"
        preview="Nothing changes until both addresses have confirmed."
        why="You get this because somebody who is signed in to your Evenhand account asked to change its address."
        settings={false}
        {...site}
      >
        <MailText>Somebody who is signed in to your account asked to move it to another address.</MailText>
        <MailFacts facts={[{ label: 'New address', value: String(props.next) }]} />
        <MailText>
          Was that you? Then confirm it here, and with the other link that we sent to the new address. Until
          both are confirmed, nothing changes.
        </MailText>
        <MailButton href={linkOf(site, props)}>Review this change</MailButton>
        <MailText>
          Was it not? Open the same link and choose “This was not me”. The change is given up then, and
          everybody is signed out of your account.
        </MailText>
        <MailText quiet>
          The link works once, within {emailChangeMinutes} minutes. A newer request replaces it.
        </MailText>
      </MailLayout>
    ),
  }
}

/** To the address an account may get. `props`: username, token. */
export function newAddress(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Confirm your new email address',
    body: (
      <MailLayout
        title="Confirm your new address"
        preview={`The link works once, within ${emailChangeMinutes} minutes.`}
        why="You get this because somebody asked to use your address for their Evenhand account."
        settings={false}
        {...site}
      >
        <MailText>
          {props.username === null ? 'A member' : <strong>{String(props.username)}</strong>} asked to use this
          address for their account. If that was you, confirm it here, and with the other link that we sent to
          the address you have now.
        </MailText>
        <MailButton href={linkOf(site, props)}>Confirm this address</MailButton>
        <MailText>
          The link works once, within {emailChangeMinutes} minutes. A newer request replaces it.
        </MailText>
        <MailText quiet>
          If it was not you, there is nothing to do: without this link nobody can use your address.
        </MailText>
      </MailLayout>
    ),
  }
}

/** To both addresses, once the account has moved. `props`: side, 'old' or 'new'. */
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
        why="You get this because the address of your Evenhand account was changed."
        settings={false}
        {...site}
      >
        {side === 'old' ? (
          <>
            <MailText>
              Both addresses confirmed the change, so your account no longer uses this one. It gets no more
              emails from us.
            </MailText>
            <MailText>
              Was that not you? Then somebody could read your emails. Secure this mailbox first, then write to
              us.
            </MailText>
            <MailButton href={`${site.origin}/contact`}>Write to us</MailButton>
          </>
        ) : (
          <>
            <MailText>
              Both addresses confirmed the change. Use this one to sign in from now on; nothing else has
              changed. You were signed out on every other device.
            </MailText>
            <MailButton href={`${site.origin}/dashboard`}>Open your dashboard</MailButton>
          </>
        )}
      </MailLayout>
    ),
  }
}

/** To the address an account has, after "This was not me". */
export function emailChangeRefused(_props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Set a new password now',
    body: (
      <MailLayout
        title="Somebody was in your account"
        preview="The change of address was given up, and everybody was signed out."
        why="You get this because you told us that a change of address was not yours."
        settings={false}
        {...site}
      >
        <MailText>
          You told us that the change of address was not yours. It was given up, your address stays, and
          everybody was signed out of your account.
        </MailText>
        <MailText>
          Whoever asked for it was signed in as you. Please set a new password now, and one that you use
          nowhere else.
        </MailText>
        <MailButton href={`${site.origin}/reset-password`}>Set a new password</MailButton>
        <MailText quiet>Check the passkeys and devices in your settings too.</MailText>
      </MailLayout>
    ),
  }
}
