import type { Mail, MailProps, MailSite } from '#server/kit/mail.ts'
import { MailButton, MailLayout, MailLink, MailText } from '#server/kit/mail-layout.tsx'

/** What the owner of a confirmed address gets in the place of a confirmation. */
export function accountExists(_props: MailProps, site: MailSite): Mail {
  return {
    subject: 'You already have an account',
    body: (
      <MailLayout
        title="You already have an account"
        preview="Sign in with the password you have."
        why="You get this because somebody asked for a new Evenhand account with your address."
        settings={false}
        {...site}
      >
        <MailText>
          Somebody asked for a new account with this address, and there is one already. Nothing was changed.
          If it was you, sign in with the password you have.
        </MailText>
        <MailButton href={`${site.origin}/signin`}>Sign in</MailButton>
        <MailText>
          Forgot the password? <MailLink href={`${site.origin}/reset-password`}>Set a new one</MailLink>.
        </MailText>
        <MailText quiet>If it was not you, there is nothing to do.</MailText>
      </MailLayout>
    ),
  }
}
