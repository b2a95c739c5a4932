import { dollars } from '#contract/format.ts'
import { usernameReservedDays } from '#contract/members.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailLayout, MailLink, MailText } from '#server/kit/mail/layout.tsx'

/** The last mail, after the account was deleted. It contains no names. `props`: refundedCents, 0 for none. */
export function accountErased(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your account was deleted',
    body: (
      <MailLayout
        title="Your account was deleted"
        preview="We also deleted your personal data."
        why={
          'You’re getting this because the Evenhand account with this address was deleted. It’s the ' +
          'last email we’ll send here.'
        }
        settings={false}
        {...site}
      >
        <MailText>
          We’ve deleted your account with your name, your address, your products, pictures and proofs. You’re
          signed out on all your devices.
        </MailText>
        {Number(props.refundedCents) > 0 ? (
          <MailText>
            Your membership has ended, and {dollars(Number(props.refundedCents))} goes back to your card. Your
            bank may take some days to show it.
          </MailText>
        ) : null}
        <MailText>
          Final reviews stay as the club’s record, without your name. For {usernameReservedDays} days no one
          else can take your username.
        </MailText>
        <MailText quiet>
          If it wasn’t you, please <MailLink href={`${site.origin}/contact`}>contact us</MailLink>, and change
          the password of your mailbox. A deleted account can’t be restored.
        </MailText>
      </MailLayout>
    ),
  }
}
