import { MailButton, MailLayout, MailText } from '#server/kit/mail-layout.tsx'

export type ResetPasswordProps = {
  username: string | null
  resetHref: string
  minutes: number
  origin: string
  demo: boolean
}

/** Lets whoever reads this mailbox set a new password. */
export function ResetPassword({ username, resetHref, minutes, origin, demo }: ResetPasswordProps) {
  return (
    <MailLayout
      title="Set a new password"
      preview={`The link works once, within ${minutes} minutes.`}
      why="You get this because somebody asked for a new password for the Evenhand account with your address."
      settings={false}
      origin={origin}
      demo={demo}
    >
      <MailText>
        Somebody asked for a new password for your account
        {username === null ? null : (
          <>
            {' '}
            <strong style={{ whiteSpace: 'nowrap' }}>{username}</strong>
          </>
        )}
        . If that was you, choose it now. You are then signed out everywhere, and sign in with the new one.
      </MailText>
      <MailButton href={resetHref}>Set a new password</MailButton>
      <MailText>The link works once, within {minutes} minutes. A newer mail replaces it.</MailText>
      <MailText quiet>
        If it was not you, there is nothing to do: without this link nobody can set a password, and the one
        you have stays.
      </MailText>
    </MailLayout>
  )
}
