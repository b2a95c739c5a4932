import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { formatRequestContext } from '#server/accounts/request-context.ts'
import { MailButton, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** Says that the password is another one now, so that nobody changes it behind the owner's back. `props`: ended, and those of the circumstances. */
export function passwordChanged(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your password was changed',
    body: (
      <MailLayout
        title="Your password was changed"
        preview="If that was not you, set a new one now."
        why="You get this because the password of your Evenhand account was changed."
        settings={false}
        {...site}
      >
        <MailText>
          Your account has a new password, and the old one works no more. {consequenceOf(props['ended'])}
        </MailText>
        <MailText>{formatRequestContext(props)}</MailText>
        <MailText>Was that you? Then there is nothing to do. If it was not, set a new password now.</MailText>
        <MailButton href={`${site.origin}/reset-password`}>Set a new password</MailButton>
        <MailText quiet>We never send a password by email, and never ask for yours.</MailText>
      </MailLayout>
    ),
  }
}

/** Which login sessions the change ended. */
function consequenceOf(ended: MailProps[string] | undefined) {
  if (ended === 'all') return 'You were signed out on every device.'
  if (ended === 'others') return 'You were signed out on every other device.'
  return 'Devices that were signed in stay so.'
}
