import { MailButton, MailLayout, MailLink, MailText } from '#server/kit/mail-layout.tsx'

export type VerifyEmailProps = {
  username: string
  confirmHref: string
  disownHref: string
  minutes: number
  origin: string
  demo: boolean
}

/** Asks whoever reads this mailbox to confirm the sign-up, and lets them delete it when it was not theirs. */
export function VerifyEmail(props: VerifyEmailProps) {
  const { username, confirmHref, disownHref, minutes, origin, demo } = props
  return (
    <MailLayout
      title="Confirm your email"
      preview={`The link works once, within ${minutes} minutes.`}
      why="You get this because somebody signed up to Evenhand with your address."
      settings={false}
      origin={origin}
      demo={demo}
    >
      <MailText>
        Somebody signed up with this address and the username{' '}
        <strong style={{ whiteSpace: 'nowrap' }}>{username}</strong>. If that was you, confirm it and you are
        in.
      </MailText>
      <MailButton href={confirmHref}>Confirm your email</MailButton>
      <MailText>The link works once, within {minutes} minutes. A newer mail replaces it.</MailText>
      <MailText quiet>
        You did not sign up? <MailLink href={disownHref}>This was not me</MailLink> deletes the account, and
        nothing is opened with your address.
      </MailText>
    </MailLayout>
  )
}
