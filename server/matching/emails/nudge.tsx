import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

/** Lets an absent member know that a request waits. It says nothing about the request. `props`: name. */
export function nudge(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A request is waiting for someone like you',
    body: (
      <MailLayout
        preview="Nothing is reserved for you, and you don’t have to do anything."
        title="A request is waiting"
        why="You’re getting this, at most once a day, because you take part in the rotation and were away."
        {...site}
      >
        <MailText>
          Hi {unlinked(String(props.name))}, a request for a review could go to someone like you. Members who
          have the club open are asked first, so if you have time, open your dashboard.
        </MailText>
        <MailButton href={`${site.origin}/dashboard`}>Open the dashboard</MailButton>
        <MailText quiet>
          This isn’t an offer. Nothing is reserved for you, another member may take the request before you
          come, and not coming has no consequence.
        </MailText>
      </MailLayout>
    ),
  }
}
