import { MailButton, MailLayout, MailLink, MailText } from '#server/kit/mail-layout.tsx'

export type AccountExistsProps = { signInHref: string; resetHref: string; origin: string; demo: boolean }

/** What the owner of a confirmed address gets in the place of a confirmation. */
export function AccountExists({ signInHref, resetHref, origin, demo }: AccountExistsProps) {
  return (
    <MailLayout
      title="You already have an account"
      preview="Sign in with the password you have."
      why="You get this because somebody asked for a new Evenhand account with your address."
      settings={false}
      origin={origin}
      demo={demo}
    >
      <MailText>
        Somebody asked for a new account with this address, and there is one already. Nothing was changed. If
        it was you, sign in with the password you have.
      </MailText>
      <MailButton href={signInHref}>Sign in</MailButton>
      <MailText>
        Forgot the password? <MailLink href={resetHref}>Set a new one</MailLink>.
      </MailText>
      <MailText quiet>If it was not you, there is nothing to do.</MailText>
    </MailLayout>
  )
}
