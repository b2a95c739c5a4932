import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** To a seller who wanted to know when they can ask for a review. `props`: name, productTitle. */
export function askPossible(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'You can ask for a review now',
    body: (
      <MailLayout
        preview="Enough members could take your request."
        title="You can ask for a review now"
        why="You’re getting this because you wanted to know when it’s possible."
        {...site}
      >
        <MailText>Hi {unlinked(String(props.name))}, enough members could take a request of yours.</MailText>
        <MailFacts facts={[{ label: 'Product', value: String(props.productTitle) }]} />
        <MailButton href={`${site.origin}/assets`}>Ask for a review</MailButton>
        <MailText quiet>No place is held for you: it can change with the next visit.</MailText>
      </MailLayout>
    ),
  }
}
