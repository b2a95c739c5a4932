import { Action, Aside, Letter, Paragraph } from './letter.tsx'

export type VerifyEmailProps = {
  username: string
  confirmHref: string
  disownHref: string
  minutes: number
  demo: boolean
}

export function VerifyEmail({ username, confirmHref, disownHref, minutes, demo }: VerifyEmailProps) {
  return (
    <Letter
      title="Confirm your email"
      preview={`Confirm your address within ${minutes} minutes.`}
      demo={demo}
    >
      <Paragraph>
        Somebody signed up to Evenhand with this address and the username <strong>{username}</strong>. If that
        was you, confirm it and you are in.
      </Paragraph>
      <Action href={confirmHref}>Confirm your email</Action>
      <Paragraph>The link works once, within {minutes} minutes. A newer mail replaces it.</Paragraph>
      <Paragraph>
        You did not sign up? <Aside href={disownHref}>This was not me</Aside> deletes the account, and nobody
        can use your address.
      </Paragraph>
    </Letter>
  )
}
