import { exportLinkHours } from '#contract/privacy.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** Brings the link to an archive. `props`: name, exportId, token. The secret stands in the fragment, which no server is sent. */
export function exportReady({ name, exportId, token }: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your data is ready',
    body: (
      <MailLayout
        title="Your data is ready"
        preview={`The link works once, for ${exportLinkHours} hours.`}
        why="You get this because a copy of your data was asked for in the settings of your Evenhand account."
        settings={false}
        {...site}
      >
        <MailText>
          Hello {unlinked(String(name))}, the archive of everything that we keep about you is ready.
        </MailText>
        <MailText>
          The link works once, for {exportLinkHours} hours, and only while you are signed in. Afterwards the
          archive is deleted here.
        </MailText>
        <MailButton href={`${site.origin}/settings?export=${String(exportId)}#token=${String(token)}`}>
          Download my data
        </MailButton>
        <MailText quiet>
          Was it not you who asked? Then do not pass this email on, and change your password in the settings.
        </MailText>
      </MailLayout>
    ),
  }
}
