import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** To a member whose open offer was withdrawn. `props`: name, product, marketplace, reason. */
export function offerWithdrawn(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'Your review offer was withdrawn',
    body: (
      <MailLayout
        preview="It doesn’t count as a decline."
        title="Your review offer was withdrawn"
        why="You’re getting this because a review offer was waiting for you."
        {...site}
      >
        <MailText>
          Hi {unlinked(String(props.name))}, the marketplace of a product that was offered to you is closed,
          so we withdrew the offer. It doesn’t count as a decline, and you get other offers as usual.
        </MailText>
        <MailFacts
          facts={[
            { label: 'Product', value: String(props.product) },
            { label: 'Marketplace', value: String(props.marketplace) },
            { label: 'Why', value: String(props.reason) },
          ]}
        />
        <MailButton href={`${site.origin}/dashboard`}>Go to the dashboard</MailButton>
      </MailLayout>
    ),
  }
}
