// The common shape of mails about reviews: greeting, what happened, product and deadline, what to do.
import type { MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'
import { writeMoment } from '#server/kit/mail/moment.ts'

type LetterProps = {
  props: MailProps
  site: MailSite
  title: string
  /** What happened and what to do, a paragraph each. The first continues the greeting. */
  paragraphs: string[]
  deadlines?: { label: string; at: MailProps[string] | undefined }[]
  button: { label: string; path: string }
}

/** A mail about one review. The product's title is shown literally, and only in the body. */
export function Letter({ props, site, title, paragraphs, deadlines = [], button }: LetterProps) {
  const [first = '', ...others] = paragraphs
  const facts = deadlines.flatMap(({ label, at }) =>
    typeof at === 'string' ? [{ label, value: writeMoment(at, props) }] : [],
  )
  return (
    <MailLayout preview={first.charAt(0).toUpperCase() + first.slice(1)} title={title} {...site}>
      <MailText>
        Hi {unlinked(String(props.name))}, {first}
      </MailText>
      <MailFacts facts={[{ label: 'Product', value: String(props.product) }, ...facts]} />
      {others.map((paragraph) => (
        <MailText key={paragraph}>{paragraph}</MailText>
      ))}
      <MailButton href={`${site.origin}${button.path}`}>{button.label}</MailButton>
    </MailLayout>
  )
}
