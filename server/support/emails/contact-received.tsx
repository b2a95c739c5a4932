import type { Mail, MailProps } from '#server/kit/mail.ts'
import { MailFacts, MailLayout, MailText } from '#server/kit/mail-layout.tsx'

/** Tells whoever has this address that a message in their name reached our staff, and nothing of what it says. `props`: reference. */
export function contactReceived(
  { reference }: MailProps,
  { origin, demo }: { origin: string; demo: boolean },
): Mail {
  return {
    subject: 'We received your message',
    body: (
      <MailLayout
        preview="A person reads it, and answers by email."
        title="We received your message"
        origin={origin}
        demo={demo}
        why="You get this because somebody wrote to us from the contact page and gave this address."
        settings={false}
      >
        <MailText>Thank you for writing. A person reads every message, and answers to this address.</MailText>
        <MailFacts facts={[{ label: 'Reference', value: String(reference) }]} />
        <MailText quiet>
          Was it not you? Then somebody mistyped their address, and there is nothing to do. We repeat nothing
          of what they wrote.
        </MailText>
      </MailLayout>
    ),
  }
}
