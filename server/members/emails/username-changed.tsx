import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** Informs the owner that the username was changed. `props`: old, next, days. */
export function usernameChanged({ old, next, days }: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your username was changed',
    body: (
      <MailLayout
        title="Your username was changed"
        preview="If that wasn’t you, set a new password now."
        why="You’re getting this because the username of your Evenhand account was changed."
        settings={false}
        {...site}
      >
        <MailFacts
          facts={[
            { label: 'Old', value: String(old) },
            { label: 'New', value: String(next) },
          ]}
        />
        <MailText>
          Your old username stays reserved for you for {days} days. If you didn’t change it, set a new
          password now.
        </MailText>
        <MailButton href={`${site.origin}/reset-password`}>Set a new password</MailButton>
      </MailLayout>
    ),
  }
}
