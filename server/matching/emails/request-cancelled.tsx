import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** Notifies a seller that our staff canceled their request. `props`: name, productTitle, reason. */
export function requestCancelled(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your request was canceled',
    body: (
      <MailLayout
        preview="Our staff canceled it. Here is why."
        title="Your request was canceled"
        why="You’re getting this because you asked for a review of your product."
        {...site}
      >
        <MailText>
          Hi {unlinked(String(props.name))}, our staff canceled your request for a review. It costs you
          nothing, and you can ask again.
        </MailText>
        <MailFacts
          facts={[
            { label: 'Product', value: String(props.productTitle) },
            { label: 'Reason', value: String(props.reason) },
          ]}
        />
        <MailButton href={`${site.origin}/support`}>Write to us</MailButton>
      </MailLayout>
    ),
  }
}
