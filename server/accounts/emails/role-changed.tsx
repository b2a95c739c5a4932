import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { MailButton, MailFacts, MailLayout, MailText } from '#server/kit/mail/layout.tsx'

const labels: Record<string, string> = { user: 'User', support: 'Support', admin: 'Admin' }

const roles = ({ from, role }: MailProps) => (
  <MailFacts
    facts={[
      { label: 'Before', value: labels[String(from)] ?? '' },
      { label: 'Now', value: labels[String(role)] ?? '' },
    ]}
  />
)

/** Informs every admin that a role was changed. `props`: memberId, from, role, isMine. */
export function roleChanged(props: MailProps, site: MailSite): Mail {
  return {
    subject: 'A member’s role was changed',
    body: (
      <MailLayout
        title="A member’s role was changed"
        preview="Every admin gets this mail when a role changes."
        why="You’re getting this because you’re an admin of Evenhand."
        settings={false}
        {...site}
      >
        {roles(props)}
        <MailText>
          {props['isMine'] === true
            ? 'You changed it. If that wasn’t you, set a new password now and ask another admin to check.'
            : 'Another admin changed it. Their page in the staff area says who, and why.'}
        </MailText>
        <MailButton href={`${site.origin}/admin/users/${String(props['memberId'])}`}>
          See the member
        </MailButton>
      </MailLayout>
    ),
  }
}

/** Informs a member that their role was changed. `props`: from, role. */
export function ownRoleChanged(props: MailProps, site: MailSite): Mail {
  const isStaff = props['role'] !== 'user'
  return {
    subject: 'Your role was changed',
    body: (
      <MailLayout
        title="Your role was changed"
        preview="You were signed out everywhere. Please sign in again."
        why="You’re getting this because an admin changed the role of your Evenhand account."
        settings={false}
        {...site}
      >
        {roles(props)}
        <MailText>
          You were signed out everywhere. Please sign in again.
          {isStaff ? ' The staff area opens once two-factor authentication is on.' : ''}
        </MailText>
        <MailButton href={`${site.origin}/signin`}>Sign in</MailButton>
      </MailLayout>
    ),
  }
}
