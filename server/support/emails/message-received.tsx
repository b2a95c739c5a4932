import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/**
 * Confirms a message to our staff. `props`: reference; for a member's message also category (its name) and
 * subject. Without an account nothing of the message is repeated, since the address may not be the writer's.
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
        preview={
          site.demo
            ? 'This is a demo club: its staff accounts can answer.'
            : 'A person reads it and answers by email.'
        }
        title="We received your message"
        why="You’re getting this because a message to our staff gave this address."
        settings={false}
        {...site}
      >
        <MailText>
          {site.demo
            ? 'Thanks for trying this. In a real club, a person reads your message and answers here. In ' +
              'this demo, its staff accounts can answer: try it yourself.'
            : 'Thanks for writing. A person reads every message and answers to this address.'}
        </MailText>
        <MailFacts facts={[...(isMembers ? about : []), { label: 'Reference', value: String(reference) }]} />
        <MailText quiet>
          {isMembers
            ? 'If you didn’t write it, someone used your Evenhand account. Change your password and ' +
              'write to us.'
            : 'If you didn’t write it, someone mistyped their address. You don’t have to do anything.'}
        </MailText>
      </MailLayout>
    ),
  }
}
