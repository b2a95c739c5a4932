import type { ReactNode } from 'react'
import type { Thread } from '#contract/staff/support-desk.ts'
import { formatDate } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { LinkButton, TextLink } from '#web/kit/ui/link-button.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { stateLabels } from '#web/membership/state-labels.ts'
import { paths } from '#web/paths.ts'

/** Who wrote: the member with their membership and open exchanges, and what else they wrote. */
export function WriterCard({ thread }: { thread: Thread }) {
  const { writer, earlier } = thread
  return (
    <>
      <Card title={writer ? 'Member' : 'Visitor'} padding="md">
        {writer ? (
          <>
            <p className="truncate text-14 font-medium text-ink">{writer.name}</p>
            <p className="truncate text-13 text-ink-2">
              {writer.username ? `@${writer.username}` : 'No username yet'}
            </p>
            <p className="text-13 wrap-anywhere text-ink-2">{writer.email}</p>
            <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-13">
              <Fact label="Joined">{formatDate(writer.joinedAt)}</Fact>
              <Fact label="Membership">{stateLabels[writer.membership].label}</Fact>
              <Fact label="Standing">{standingOf(writer)}</Fact>
              <Fact label="Open requests">{writer.openRequests}</Fact>
              <Fact label="Open offers">{writer.openOffers}</Fact>
              <Fact label="Reviews to write">{writer.reviewsToWrite}</Fact>
            </dl>
            <LinkButton href={paths.adminUser(writer.id)} size="sm" wide className="mt-4">
              Open member
            </LinkButton>
          </>
        ) : (
          <>
            <p className="truncate text-14 font-medium text-ink">{thread.name}</p>
            <p className="text-13 wrap-anywhere text-ink-2">{thread.email}</p>
            <p className="mt-2 text-13 text-ink-2">Wrote on the contact page, not signed in.</p>
          </>
        )}
      </Card>
      <Card title="Other messages" padding="md">
        {earlier.length === 0 ? (
          <p className="text-13 text-ink-2">None from the same {writer ? 'member' : 'address'}.</p>
        ) : (
          <ul className="flex flex-col gap-3">
            {earlier.map(({ id, subject, status, createdAt }) => (
              <li key={id} className="text-13">
                <TextLink href={paths.adminThread(id)} className="wrap-anywhere">
                  {subject}
                </TextLink>
                <span className="mt-1 flex items-center gap-2 text-ink-2">
                  <StatusBadge status={status} /> {formatDate(createdAt)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  )
}

function standingOf({ standing, suspended, paused }: NonNullable<Thread['writer']>) {
  if (suspended) return 'Suspended'
  if (paused) return 'Paused'
  if (standing === null) return 'Not in the rotation yet'
  return standing === 'in' ? 'In the rotation' : 'Out of the rotation'
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{label}</dt>
      <dd className="tabular min-w-0 text-right wrap-anywhere text-ink">{children}</dd>
    </>
  )
}
