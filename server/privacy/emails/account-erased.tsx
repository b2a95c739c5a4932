import { usernameReservedDays } from '#contract/members.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailLayout, MailLink, MailText } from '#server/kit/mail/layout.tsx'

/** The last mail: the account is gone. It names nobody. */
export function accountErased(_props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your account was deleted',
    body: (
      <MailLayout
        title="Your account was deleted"
        preview="And with it what we kept about you."
        why="You get this because the Evenhand account of this address was deleted. It is the last email we send here."
        settings={false}
        {...site}
      >
        <MailText>
          Your account is gone, and with it your name, your address, your products, pictures and proofs. You
          are signed out on every device.
        </MailText>
        <MailText>
          Reviews that were final stay as the club’s record, under “Former member”. Nobody can take your
          username for {usernameReservedDays} days.
        </MailText>
        <MailText quiet>
          Was it not you? A deleted account cannot be brought back. Please{' '}
          <MailLink href={`${site.origin}/contact`}>tell us</MailLink>, and change the password of your
          mailbox.
        </MailText>
      </MailLayout>
    ),
  }
}
