import { secretLifetimeMinutes } from '#contract/accounts.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailLayout, MailLink, MailText } from '#server/kit/mail/layout.tsx'
import { writeValidity } from '#server/kit/mail/moment.ts'

/**
 * Asks the reader of this mailbox to confirm the sign-up, or to delete it if it wasn't theirs. `props`:
 * username, token, returnTo, expiresAt, and the reader. The secret is in the fragment, which browsers never
 * send to a server or put into a referrer.
 */
export function verifyEmail({ username, token, returnTo, ...props }: MailProps, site: MailSite): Mail {
  const validity = writeValidity(props, `${secretLifetimeMinutes} minutes`)
  const query = typeof returnTo === 'string' ? `?returnTo=${encodeURIComponent(returnTo)}` : ''
  return {
    subject: 'Confirm your email',
    body: (
      <MailLayout
        title="Confirm your email"
        preview={`The link works once, ${validity}.`}
        why="You’re getting this because someone signed up to Evenhand with your address."
        settings={false}
        {...site}
      >
        <MailText>
          Someone signed up with this address and the username{' '}
          <strong style={{ whiteSpace: 'nowrap' }}>{String(username)}</strong>. If that was you, confirm it to
          open your account.
        </MailText>
        <MailButton href={`${site.origin}/auth/callback${query}#token=${String(token)}`}>
          Confirm your email
        </MailButton>
        <MailText>The link works once, {validity}. A newer email replaces it.</MailText>
        <MailText quiet>
          Didn’t sign up?{' '}
          <MailLink href={`${site.origin}/auth/callback?type=not_me#token=${String(token)}`}>
            This was not me
          </MailLink>{' '}
          deletes the account again.
        </MailText>
      </MailLayout>
    ),
  }
}
