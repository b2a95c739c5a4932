import type { ReactNode } from 'react'
import { count } from '#contract/format.ts'
import type { MemberPage } from '#contract/staff/member-page.ts'
import { formatDate, formatDateTime } from '#web/kit/time.ts'
import { Alert } from '#web/kit/ui/alert.tsx'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { stateLabels } from '#web/membership/state-labels.ts'
import { paths } from '#web/paths.ts'
import { sentenceOf } from '../exchanges/exchange-labels.ts'
import { roleLabels } from '../users/role-labels.ts'
import { reasonFor, sourceLabels } from './member-labels.ts'
import { MemberNotes } from './member-notes.tsx'

/** Profile, standing, balance, membership, strikes, reports, organization, devices and notes. */
export function MemberOverview({ member }: { member: MemberPage }) {
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-6">
        <Standing member={member} />
        <Balance member={member} />
        <Profile member={member} />
        <OtherAccounts member={member} />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <MemberNotes member={member} />
        <Strikes member={member} />
        <Reports member={member} />
        <Organization member={member} />
        <Devices member={member} />
      </div>
    </div>
  )
}

type Props = { member: MemberPage }

function Standing({ member: { standing, suspension } }: Props) {
  const { takesPart, whyNot, whyNoOffer, cooldownUntil, declinesToday } = standing
  return (
    <Card title="Standing">
      <div className="flex flex-col gap-3 text-14 text-ink-2">
        {suspension ? (
          <Alert
            tone="danger"
            title={
              suspension.until
                ? `Suspended until ${formatDateTime(suspension.until)}`
                : 'Suspended until staff lifts it'
            }
          >
            Since {formatDateTime(suspension.since)}.{' '}
            <span className="wrap-anywhere">{suspension.reason}</span>
          </Alert>
        ) : null}
        <p>
          <Badge tone={takesPart ? 'success' : 'warning'} dot>
            {takesPart ? 'Takes part' : 'Does not take part'}
          </Badge>{' '}
          {whyNot
            ? reasonFor(whyNot)
            : whyNoOffer
              ? `No offers now: ${reasonFor(whyNoOffer)}`
              : 'Can get offers now.'}
        </p>
        <p>
          {declinesToday === 1 ? '1 counted decline today.' : `${declinesToday} counted declines today.`}{' '}
          {cooldownUntil ? `On cooldown until ${formatDateTime(cooldownUntil)}.` : 'No cooldown.'}
        </p>
      </div>
    </Card>
  )
}

function Balance({ member: { balance, counts } }: Props) {
  return (
    <Card title="Balance">
      <Facts
        facts={[
          ['Balance', balance.balance > 0 ? `+${balance.balance}` : balance.balance],
          ['Given and received', `${balance.given} and ${balance.received}`],
          ['Reviews to write', balance.pendingGive],
          ['Reviews being written for them', balance.pendingTake],
          ['Open requests', balance.openRequests],
          ['Products', counts.products],
        ]}
      />
    </Card>
  )
}

function Profile({ member }: Props) {
  const { membership } = member
  return (
    <Card title="Profile and membership">
      <Facts
        facts={[
          ['Username', member.username ?? 'None yet'],
          ['Full name', member.fullName ?? 'N/A'],
          ['Role', roleLabels[member.role]],
          ['Second factor', member.twoFactor ? 'On' : 'Off'],
          ['Email', member.emailBounced ? 'Bounced' : member.emailVerified ? 'Confirmed' : 'Not confirmed'],
          ['Joined', formatDateTime(member.createdAt)],
          ['Last seen', member.lastSeenAt ? formatDateTime(member.lastSeenAt) : 'Never'],
          ['Time zone', member.timeZone ?? 'That of the device'],
          [
            'Membership',
            <Badge key="state" dot tone={stateLabels[membership.state].tone}>
              {stateLabels[membership.state].label}
            </Badge>,
          ],
          ...(membership.source ? ([['Comes from', sourceLabels[membership.source]]] as Fact[]) : []),
          ['Period ends', membership.currentPeriodEnd ? formatDate(membership.currentPeriodEnd) : 'N/A'],
          ...(membership.pausedUntil
            ? ([['Paused until', formatDateTime(membership.pausedUntil)]] as Fact[])
            : []),
          ...(membership.endsAt ? ([['Runs until', formatDateTime(membership.endsAt)]] as Fact[]) : []),
          ...(membership.graceUntil
            ? ([['Takes part until', formatDateTime(membership.graceUntil)]] as Fact[])
            : []),
        ]}
      />
    </Card>
  )
}

type Fact = [string, ReactNode]

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-14">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="tabular text-right wrap-anywhere text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Strikes({ member: { strikes, fromBefore } }: Props) {
  return (
    <Card title="Strikes">
      {strikes.length === 0 ? (
        <p className="text-14 text-ink-2">None of this account.</p>
      ) : (
        <ul className="flex flex-col gap-2 text-14">
          {strikes.map(({ id, at, exchangeId, withdrawn }) => (
            <li key={id} className="flex flex-wrap gap-2 text-ink-2">
              <time dateTime={at}>{formatDateTime(at)}</time>
              {withdrawn ? <Badge>Withdrawn</Badge> : null}
              {exchangeId ? (
                <TextLink href={paths.adminExchange(exchangeId)}>Open the exchange</TextLink>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {fromBefore.strikes + fromBefore.sanctions > 0 ? (
        <p className="mt-2 text-14 text-ink-2">
          From accounts that were deleted, {count(fromBefore.strikes, 'strike')} and{' '}
          {count(fromBefore.sanctions, 'sanction')} count as well.
        </p>
      ) : null}
    </Card>
  )
}

/** What staff decides about one account is not decided about the others. */
function OtherAccounts({ member: { otherAccounts } }: Props) {
  if (otherAccounts.length === 0) return null
  return (
    <Card
      title="Other accounts"
      help="With an email address or a sign-in account that this one has or had. They are never matched."
    >
      <ul className="flex flex-col gap-2 text-14">
        {otherAccounts.map(({ id, name, suspended }) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            <TextLink href={paths.adminUser(id)}>{name}</TextLink>
            {suspended ? <StatusBadge status="suspended" /> : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Reports({ member: { reports } }: Props) {
  return (
    <Card title="Reports">
      {reports.length === 0 ? (
        <p className="text-14 text-ink-2">None.</p>
      ) : (
        <ul className="flex flex-col gap-2 text-14">
          {reports.map(({ id, at, caseId, side, reason, state }) => (
            <li key={id} className="text-ink-2">
              <TextLink href={paths.adminCase(caseId)}>{sentenceOf(reason)}</TextLink>,{' '}
              {side === 'made' ? 'reported by this member' : 'about this member'},{' '}
              {sentenceOf(state).toLowerCase()}, <time dateTime={at}>{formatDateTime(at)}</time>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Organization({ member: { shops, declarations } }: Props) {
  return (
    <Card title="Organization">
      {shops.length + declarations.length === 0 ? (
        <p className="text-14 text-ink-2">Nothing declared.</p>
      ) : null}
      <ul className="flex flex-col gap-2 text-14 wrap-anywhere text-ink-2">
        {shops.map(({ id, name, address }) => (
          <li key={id}>
            Shop: <span className="text-ink">{name}</span>, {address}
          </li>
        ))}
        {declarations.map(({ id, at, kind, side, other, endsAt, answer }) => (
          <li key={id}>
            {sentenceOf(kind)}: <span className="text-ink">{other}</span>,{' '}
            {side === 'made' ? 'declared by this member' : 'declared this member'},{' '}
            <time dateTime={at}>{formatDateTime(at)}</time>
            {answer ? `, ${answer}` : ''}
            {endsAt ? `, ends ${formatDate(endsAt)}` : ''}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Devices({ member: { devices } }: Props) {
  return (
    <Card title="Devices">
      {devices.length === 0 ? (
        <p className="text-14 text-ink-2">Not signed in anywhere.</p>
      ) : (
        <ul className="flex flex-col gap-2 text-14">
          {devices.map(({ id, label, address, lastSeenAt }) => (
            <li key={id} className="text-ink-2">
              <span className="text-ink">{label}</span>
              {address ? `, ${address}` : ''}, last used{' '}
              <time dateTime={lastSeenAt}>{formatDateTime(lastSeenAt)}</time>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
