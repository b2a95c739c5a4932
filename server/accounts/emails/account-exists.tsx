import type { ReactNode } from 'react'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailLayout, MailLink, MailText } from '#server/kit/mail/layout.tsx'

/** What the owner of a confirmed address gets in the place of a confirmation. */
export function accountExists(_props: MailProps, site: MailSite): Mail {
  return toOwner(site, {
    why: 'You get this because somebody asked for a new Evenhand account with your address.',
    words:
      'Somebody asked for a new account with this address, and there is one already. Nothing was changed. If it was you, sign in with the password you have.',
    more: (
      <MailText>
        Forgot the password? <MailLink href={`${site.origin}/reset-password`}>Set a new one</MailLink>.
      </MailText>
    ),
  })
}

/** To the owner of an account whose address somebody else wanted for theirs. */
export function addressTaken(_props: MailProps, site: MailSite): Mail {
  return toOwner(site, {
    why: 'You get this because somebody asked to use your address for an Evenhand account.',
    words:
      'Somebody asked to move another account to this address, and there is one with it already. Nothing was changed. If it was you, sign in with this address, or use a different one for the other account.',
  })
}

function toOwner(
  site: MailSite,
  { why, words, more }: { why: string; words: string; more?: ReactNode },
): Mail {
  const title = 'You already have an account'
  return {
    subject: title,
    body: (
      <MailLayout
        title={title}
        preview="Sign in with the password you have."
        why={why}
        settings={false}
        {...site}
      >
        <MailText>{words}</MailText>
        <MailButton href={`${site.origin}/signin`}>Sign in</MailButton>
        {more}
        <MailText quiet>If it was not you, there is nothing to do.</MailText>
      </MailLayout>
    ),
  }
}
