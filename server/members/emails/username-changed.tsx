import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** To the owner of an account whose username is another one now. `props`: old, next, days. */
export function usernameChanged({ old, next, days }: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your username was changed',
    body: (
      <MailLayout
        title="Your username was changed"
        preview="If that was not you, set a new password now."
        why="You get this because the username of your Evenhand account was changed."
        settings={false}
        {...site}
      >
        <MailFacts
          facts={[
            { label: 'Before', value: String(old) },
            { label: 'Now', value: String(next) },
          ]}
        />
        <MailText>
          The old one stays reserved for you for {days} days. Was that not you? Then set a new password now.
        </MailText>
        <MailButton href={`${site.origin}/reset-password`}>Set a new password</MailButton>
      </MailLayout>
    ),
  }
}
