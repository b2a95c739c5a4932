import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** To a seller: their marketplace was closed. `props`: name, marketplace, reason, held. */
export function marketplaceClosed(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A marketplace of yours is closed for now',
    body: (
      <MailLayout
        preview="Your requests wait and keep their places."
        title="A marketplace is closed for now"
        why="You’re getting this because you have a product on this marketplace."
        {...site}
      >
        <MailText>
          Hi {unlinked(String(props.name))}, we closed a marketplace on which you have a product. Nothing
          there is offered for review, and no product can be connected, until it is open again.
        </MailText>
        <MailFacts
          facts={[
            { label: 'Marketplace', value: String(props.marketplace) },
            { label: 'Why', value: String(props.reason) },
            { label: 'Your open requests', value: String(props.held) },
          ]}
        />
        <MailText quiet>
          Open requests wait and keep their places. Your history and balance stay the same. If a review of
          yours was under way there, you get a message about it.
        </MailText>
        <MailButton href={`${site.origin}/assets`}>My products</MailButton>
      </MailLayout>
    ),
  }
}

/** To a seller: their marketplace is open again. `props`: name, marketplace, held. */
export function marketplaceReopened(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A marketplace of yours is open again',
    body: (
      <MailLayout
        preview="Your requests are back in their places."
        title="A marketplace is open again"
        why="You’re getting this because you have a product on this marketplace."
        {...site}
      >
        <MailText>
          Hi {unlinked(String(props.name))}, a marketplace on which you have a product is open again. Requests
          that waited are back in their places.
        </MailText>
        <MailFacts
          facts={[
            { label: 'Marketplace', value: String(props.marketplace) },
            { label: 'Your open requests', value: String(props.held) },
          ]}
        />
        <MailButton href={`${site.origin}/assets`}>My products</MailButton>
      </MailLayout>
    ),
  }
}
