import { MailButton, MailLayout, MailText } from '#server/kit/mail-layout.tsx'

export type PasswordChangedProps = {
  /** Which login sessions the change ended. */
  ended: 'all' | 'others' | 'none'
  resetHref: string
  origin: string
  demo: boolean
}

/** Says that the password is another one now, so that nobody changes it behind the owner's back. */
export function PasswordChanged({ ended, resetHref, origin, demo }: PasswordChangedProps) {
  return (
    <MailLayout
      title="Your password was changed"
      preview="If that was not you, set a new one now."
      why="You get this because the password of your Evenhand account was changed."
      settings={false}
      origin={origin}
      demo={demo}
    >
      <MailText>
        Your account has a new password, and the old one works no more. {consequences[ended]}
      </MailText>
      <MailText>Was that you? Then there is nothing to do. If it was not, set a new password now.</MailText>
      <MailButton href={resetHref}>Set a new password</MailButton>
      <MailText quiet>We never send a password by email, and never ask for yours.</MailText>
    </MailLayout>
  )
}

const consequences = {
  all: 'You were signed out on every device.',
  others: 'You were signed out on every other device.',
  none: 'Devices that were signed in stay so.',
}
