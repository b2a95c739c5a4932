import { Fragment } from 'react'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailFacts, MailLayout, MailLink, MailText, unlinked } from '#server/kit/mail/layout.tsx'

/**
 * An answer of our staff. `props`: answer, reference; for a message from an account also its subject and
 * messageId. Without an account nothing of the message is repeated. Mail is one way, so it says how to write
 * back.
 */
export function supportAnswer({ answer, reference, subject, messageId }: MailProps, site: MailSite): Mail {
  const isAccounts = typeof messageId === 'string'
  const about = isAccounts ? [{ label: 'Subject', value: String(subject) }] : []
  return {
    subject: 'An answer to your message',
    body: (
      <MailLayout
        preview="A member of our staff answered."
        title="An answer to your message"
        why={
          isAccounts
            ? 'You’re getting this because you wrote to our staff.'
            : 'You’re getting this because a message to our staff gave this address.'
        }
        settings={false}
        {...site}
      >
        <Answer text={String(answer)} origin={site.origin} />
        <MailFacts facts={[...about, { label: 'Reference', value: String(reference) }]} />
        {isAccounts ? (
          <>
            <MailButton href={`${site.origin}/support/${messageId}`}>Write back</MailButton>
            <MailText quiet>Please don’t reply to this email: we can’t read replies to it.</MailText>
          </>
        ) : (
          <MailText quiet>
            To write back, use our <MailLink href={`${site.origin}/contact`}>contact page</MailLink> and give
            the reference. Please don’t reply to this email: we can’t read replies to it.
          </MailText>
        )}
      </MailLayout>
    ),
  }
}

/** The text as it was written, with its lines. Only links to our own pages can be opened. */
function Answer({ text, origin }: { text: string; origin: string }) {
  return text.split(/\n\s*\n/).map((paragraph, at) => (
    // The paragraphs of a mail never change.
    <MailText key={at}>
      {paragraph.split('\n').map((line, row) => (
        <Fragment key={row}>
          {row > 0 ? <br /> : null}
          {linesOf(line, origin)}
        </Fragment>
      ))}
    </MailText>
  ))
}

function linesOf(line: string, origin: string) {
  return line.split(/(https?:\/\/\S+)/).map((part, at) => {
    const isOurs = part === origin || part.startsWith(`${origin}/`)
    return <Fragment key={at}>{isOurs ? <MailLink href={part}>{part}</MailLink> : unlinked(part)}</Fragment>
  })
}
