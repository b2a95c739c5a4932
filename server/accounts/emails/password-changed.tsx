import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { formatRequestContext } from '#server/accounts/request-context.ts'
import { MailButton, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** Informs the owner that the password was changed. `props`: ended, and the request context. */
export function passwordChanged(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your password was changed',
    body: (
      <MailLayout
        title="Your password was changed"
        preview="If that wasn’t you, set a new one now."
        why="You’re getting this because the password of your Evenhand account was changed."
        settings={false}
        {...site}
      >
        <MailText>
          Your account has a new password, and the old one no longer works. {consequenceOf(props['ended'])}
        </MailText>
        <MailText>{formatRequestContext(props)}</MailText>
        <MailText>
          If that was you, you don’t have to do anything. If it wasn’t, set a new password now.
        </MailText>
        <MailButton href={`${site.origin}/reset-password`}>Set a new password</MailButton>
        <MailText quiet>We never send a password by email and never ask for yours.</MailText>
      </MailLayout>
    ),
  }
}

/** Which login sessions the change ended. */
function consequenceOf(ended: MailProps[string] | undefined) {
  if (ended === 'all') return 'We signed you out on all your devices.'
  if (ended === 'others') return 'We signed you out on all your other devices.'
  return 'Your devices stay signed in.'
}
