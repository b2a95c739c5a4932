import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** Notifies a seller that their listing was reported as broken. `props`: name, productTitle. */
export function listingBroken(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your listing doesn’t work',
    body: (
      <MailLayout
        preview="We took it out of the rotation until you have checked it."
        title="Please check your listing"
        why="You’re getting this because a product of yours left the rotation."
        {...site}
      >
        <MailText>
          Hi {unlinked(String(props.name))}, two members who were asked to review your product reported that
          its listing is broken. We took it out of the rotation, and canceled its open request.
        </MailText>
        <MailFacts facts={[{ label: 'Product', value: String(props.productTitle) }]} />
        <MailButton href={`${site.origin}/assets`}>Check the product</MailButton>
        <MailText quiet>
          Open the coupon link in a private window and see whether it leads to the product at the coupon’s
          price. Then put the product back into the rotation. Your history and balance stay the same.
        </MailText>
      </MailLayout>
    ),
  }
}
