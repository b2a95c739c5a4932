import { Action, Aside, Letter, Paragraph } from './letter.tsx'

export type AccountExistsProps = { signInHref: string; resetHref: string; demo: boolean }

export function AccountExists({ signInHref, resetHref, demo }: AccountExistsProps) {
  return (
    <Letter title="You already have an account" preview="Sign in with the password you have." demo={demo}>
      <Paragraph>
        Somebody asked for a new account with this address, and there is one already. Nothing was changed. If
        it was you, sign in with the password you have.
      </Paragraph>
      <Action href={signInHref}>Sign in</Action>
      <Paragraph>
        You do not remember it? <Aside href={resetHref}>Set a new password</Aside>. If it was not you, there
        is nothing to do.
      </Paragraph>
    </Letter>
  )
}
