import type { ReactNode } from 'react'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailLayout, MailLink, MailText } from '#server/kit/mail/layout.tsx'

/** Sent to the owner of a confirmed address instead of a confirmation. */
export function accountExists(_props: MailProps, site: MailSite): Mail {
  return toOwner(site, {
    why: 'You’re getting this because someone tried to sign up to Evenhand with your address.',
    text:
      'Someone tried to sign up with this address, but it already has an account. Nothing has ' +
      'changed. If it was you, sign in with the password you have.',
    more: (
      <MailText>
        Forgot your password? <MailLink href={`${site.origin}/reset-password`}>Set a new one</MailLink>.
      </MailText>
    ),
  })
}

/** To the owner of an account whose address was requested for another account. */
export function addressTaken(_props: MailProps, site: MailSite): Mail {
  return toOwner(site, {
    why: 'You’re getting this because someone asked to use your address for an Evenhand account.',
    text:
      'Someone asked to move another account to this address, but it already has an account. ' +
      'Nothing has changed. If it was you, sign in with this address, or use a different one for ' +
      'the other account.',
  })
}

function toOwner(site: MailSite, { why, text, more }: { why: string; text: string; more?: ReactNode }): Mail {
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
        <MailText>{text}</MailText>
        <MailButton href={`${site.origin}/signin`}>Sign in</MailButton>
        {more}
        <MailText quiet>If it wasn’t you, you don’t have to do anything.</MailText>
      </MailLayout>
    ),
  }
}
