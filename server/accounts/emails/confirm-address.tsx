import { secretLifetimeMinutes } from '#contract/accounts.ts'
import { MailButton, MailLayout, MailText } from '#server/kit/mail/layout.tsx'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { writeValidity } from '#server/kit/mail/moment.ts'

/** Asks a member whose mail bounced to confirm the address again. `props`: token, expiresAt, the reader. */
export function confirmAddress({ token, ...props }: MailProps, site: MailSite): Mail {
  const validity = writeValidity(props, `${secretLifetimeMinutes} minutes`)
  return {
    subject: 'Confirm your email address again',
    body: (
      <MailLayout
        title="Confirm your email address again"
        preview={`The link works once, ${validity}.`}
        why="You’re getting this because you asked for it in your account."
        settings={false}
        {...site}
      >
        <MailText>
          An email we sent to this address came back, so we stopped sending any. Confirm the address to get
          email again.
        </MailText>
        <MailButton href={`${site.origin}/auth/callback?type=address#token=${String(token)}`}>
          Confirm this address
        </MailButton>
        <MailText>The link works once, {validity}. A newer email replaces it.</MailText>
      </MailLayout>
    ),
  }
}
