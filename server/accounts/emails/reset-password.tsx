import { secretLifetimeMinutes } from '#contract/accounts.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** Lets whoever reads this mailbox set a new password. `props`: username, token. The secret stands in the fragment, which no server is sent. */
export function resetPassword({ username, token }: MailProps, site: MailSite): Mail {
  return {
    subject: 'Set a new password',
    body: (
      <MailLayout
        title="Set a new password"
        preview={`The link works once, within ${secretLifetimeMinutes} minutes.`}
        why="You get this because somebody asked for a new password for the Evenhand account with your address."
        settings={false}
        {...site}
      >
        <MailText>
          Somebody asked for a new password for your account
          {username === null ? null : (
            <>
              {' '}
              <strong style={{ whiteSpace: 'nowrap' }}>{String(username)}</strong>
            </>
          )}
          . If that was you, choose it now. You are then signed out everywhere, and sign in with the new one.
        </MailText>
        <MailButton href={`${site.origin}/auth/callback?type=recovery#token=${String(token)}`}>
          Set a new password
        </MailButton>
        <MailText>
          The link works once, within {secretLifetimeMinutes} minutes. A newer mail replaces it.
        </MailText>
        <MailText quiet>
          If it was not you, there is nothing to do: without this link nobody can set a password, and the one
          you have stays.
        </MailText>
      </MailLayout>
    ),
  }
}
