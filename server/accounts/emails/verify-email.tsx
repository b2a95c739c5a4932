import { secretLifetimeMinutes } from '#contract/accounts.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailLayout, MailLink, MailText } from '#server/kit/mail/layout.tsx'

/**
 * Asks whoever reads this mailbox to confirm the sign-up, and lets them delete it when it was not theirs. `props`: username, token, returnTo.
 * The secret stands in the fragment, which browsers send to no server and put into no referrer.
 */
export function verifyEmail({ username, token, returnTo }: MailProps, site: MailSite): Mail {
  const query = typeof returnTo === 'string' ? `?returnTo=${encodeURIComponent(returnTo)}` : ''
  return {
    subject: 'Confirm your email',
    body: (
      <MailLayout
        title="Confirm your email"
        preview={`The link works once, within ${secretLifetimeMinutes} minutes.`}
        why="You get this because somebody signed up to Evenhand with your address."
        settings={false}
        {...site}
      >
        <MailText>
          Somebody signed up with this address and the username{' '}
          <strong style={{ whiteSpace: 'nowrap' }}>{String(username)}</strong>. If that was you, confirm it
          and you are in.
        </MailText>
        <MailButton href={`${site.origin}/auth/callback${query}#token=${String(token)}`}>
          Confirm your email
        </MailButton>
        <MailText>
          The link works once, within {secretLifetimeMinutes} minutes. A newer mail replaces it.
        </MailText>
        <MailText quiet>
          You did not sign up?{' '}
          <MailLink href={`${site.origin}/auth/callback?type=not_me#token=${String(token)}`}>
            This was not me
          </MailLink>{' '}
          deletes the account, and nothing is opened with your address.
        </MailText>
      </MailLayout>
    ),
  }
}
