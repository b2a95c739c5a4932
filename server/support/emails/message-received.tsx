import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/**
 * Tells whoever wrote to our staff that it arrived. `props`: reference; of a member's message also category (its name) and subject. Without
 * an account nothing is repeated of what somebody wrote, since the address may not be theirs.
 */
export function messageReceived({ reference, category, subject }: MailProps, site: MailSite): Mail {
  const isMembers = typeof subject === 'string'
  const about = [
    { label: 'About', value: String(category) },
    { label: 'Subject', value: String(subject) },
  ]
  return {
    subject: 'We received your message',
    body: (
      <MailLayout
        preview="A person reads it, and answers by email."
        title="We received your message"
        why="You get this because a message to our staff named this address."
        settings={false}
        {...site}
      >
        <MailText>Thank you for writing. A person reads every message, and answers to this address.</MailText>
        <MailFacts facts={[...(isMembers ? about : []), { label: 'Reference', value: String(reference) }]} />
        <MailText quiet>
          {isMembers
            ? 'Was it not you? It was sent from your Evenhand account: change your password in the settings, and tell us.'
            : 'Was it not you? Then somebody mistyped their address, and there is nothing to do. We repeat nothing of what they wrote.'}
        </MailText>
      </MailLayout>
    ),
  }
}
