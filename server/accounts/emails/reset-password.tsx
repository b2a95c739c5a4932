import { secretLifetimeMinutes } from '#contract/accounts.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailLayout, MailText } from '#server/kit/mail/layout.tsx'
import { writeValidity } from '#server/kit/mail/moment.ts'

/**
 * Lets the reader of this mailbox set a new password. `props`: username, token (kept in the fragment),
 * expiresAt, and the reader.
 */
export function resetPassword({ username, token, ...props }: MailProps, site: MailSite): Mail {
  const validity = writeValidity(props, `${secretLifetimeMinutes} minutes`)
  return {
    subject: 'Set a new password',
    body: (
      <MailLayout
        title="Set a new password"
        preview={`The link works once, ${validity}.`}
        why={
          'You’re getting this because someone asked to reset the password of the Evenhand account ' +
          'with your address.'
        }
        settings={false}
        {...site}
      >
        <MailText>
          Someone asked to reset the password of your account
          {username === null ? null : (
            <>
              {' '}
              <strong style={{ whiteSpace: 'nowrap' }}>{String(username)}</strong>
            </>
          )}
          . If that was you, choose a new one now. This signs you out everywhere. Then sign in with the new
          password.
        </MailText>
        <MailButton href={`${site.origin}/auth/callback?type=recovery#token=${String(token)}`}>
          Set a new password
        </MailButton>
        <MailText>The link works once, {validity}. A newer email replaces it.</MailText>
        <MailText quiet>
          If it wasn’t you, you don’t have to do anything. Without this link, no one can change your password.
        </MailText>
      </MailLayout>
    ),
  }
}
