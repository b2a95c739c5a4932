import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** Tells a member that they were drawn. `props`: name, productTitle, minutes (how long the offer stays open), purchaseHours, reviewDays. */
export function offerMade(props: MailProps, site: MailSite): Mail {
  const minutes = Number(props.minutes)
  const open = minutes >= 120 ? `${minutes / 60} hours` : `${minutes} minutes`
  return {
    subject: 'A review offer is waiting for you',
    body: (
      <MailLayout
        preview={`It stays open for ${open}.`}
        title="You were drawn for a review"
        why="You get this because you take part in the rotation."
        {...site}
      >
        <MailText>
          Hello {unlinked(String(props.name))}, the rotation would like your honest opinion on this product.
        </MailText>
        <MailFacts
          facts={[
            { label: 'Product', value: String(props.productTitle) },
            { label: 'Open for', value: open },
            {
              label: 'Then',
              value: `${String(props.purchaseHours)} hours to buy with the coupon, ${String(props.reviewDays)} days in all`,
            },
          ]}
        />
        <MailButton href={`${site.origin}/dashboard?offer=open`}>See the offer</MailButton>
        <MailText quiet>
          Accept only what you can really use. The first decline of a day costs nothing, and an honest
          conflict never does.
        </MailText>
      </MailLayout>
    ),
  }
}
