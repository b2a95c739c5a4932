import type { Mail, MailProps } from '#server/kit/mail.ts'
import { asWords, MailFacts, MailLayout, MailText } from '#server/kit/mail-layout.tsx'

/** Tells somebody that their message reached our staff. `props`: name, category (its name), subject (as they wrote it). */
export function supportReceived(
  { name, category, subject }: MailProps,
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
        why="You get this because a message was sent to our staff from your Evenhand account."
        settings={false}
      >
        <MailText>Hello {asWords(String(name))}, a person reads every message and answers by email.</MailText>
        <MailFacts
          facts={[
            { label: 'About', value: String(category) },
            { label: 'Subject', value: String(subject) },
          ]}
        />
        <MailText quiet>Was it not you? Then change your password in the settings, and tell us.</MailText>
      </MailLayout>
    ),
  }
}
