import { exportLinkHours } from '#contract/privacy.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailLayout, MailText } from '#server/kit/mail/layout.tsx'
import { writeValidity } from '#server/kit/mail/moment.ts'

/** The link to an archive. `props`: name, exportId, token (in the fragment), expiresAt, and the reader. */
export function exportReady({ name, exportId, token, ...props }: MailProps, site: MailSite): Mail {
  const validity = writeValidity(props, `${exportLinkHours} hours`)
  return {
    subject: 'Your data is ready',
    body: (
      <MailLayout
        title="Your data is ready"
        preview={`The link works once, ${validity}.`}
        why="You’re getting this because someone asked for a copy of your data in your Evenhand settings."
        settings={false}
        {...site}
      >
        <MailText>
          Hi {unlinked(String(name))}, the archive of everything we keep about you is ready.
        </MailText>
        <MailText>
          The link works once, {validity}, and only while you’re signed in. After that, we delete the archive.
        </MailText>
        <MailButton href={`${site.origin}/settings?export=${String(exportId)}#token=${String(token)}`}>
          Download my data
        </MailButton>
        <MailText quiet>
          If you didn’t ask for it, don’t forward this email, and change your password in your settings.
        </MailText>
      </MailLayout>
    ),
  }
}
