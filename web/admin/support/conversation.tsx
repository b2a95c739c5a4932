import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Thread, ThreadEntry } from '#contract/staff/support-desk.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { cx } from '#web/kit/ui/cx.ts'

/** The message and all that followed, the oldest first. Notes among the staff look different. */
export function Conversation({ thread }: { thread: Thread }) {
  const { name, email, message, createdAt, via, entries } = thread
  return (
    <Card padding="none" aria-label="Conversation">
      <ol className="divide-y divide-line">
        <Part author={name} about={email} at={createdAt} text={message}>
          {via === 'contact' ? (
            <p className="mt-2 text-13 text-ink-2">
              Written on the contact page. We haven’t checked that the address belongs to the writer, so don’t
              reveal anything about an account.
            </p>
          ) : null}
        </Part>
        {entries.map((entry) => (
          <Part
            key={entry.id}
            author={entry.mine ? `${entry.author} (you)` : entry.author}
            about={kinds[entry.kind]}
            at={entry.createdAt}
            text={entry.body}
            isNote={entry.kind === 'note'}
            badge={<Delivery entry={entry} />}
          />
        ))}
      </ol>
    </Card>
  )
}

const kinds = { answer: 'Answer', reply: 'Wrote back', note: 'Internal note' }

type PartProps = {
  author: string
  about: string
  at: string
  text: string
  isNote?: boolean
  badge?: ReactNode
  children?: ReactNode
}

function Part({ author, about, at, text, isNote = false, badge, children }: PartProps) {
  return (
    <li className={cx('px-5 py-4 first:rounded-t-12 last:rounded-b-12', isNote && 'bg-warning-soft')}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13">
        <span className="font-medium text-ink">{author}</span>
        <span className="inline-flex min-w-0 items-center gap-1 text-ink-2 [&_svg]:size-3.5">
          {isNote ? <Lock aria-hidden="true" /> : null}
          <span className="truncate">{about}</span>
        </span>
        {badge}
        <time dateTime={at} className="ml-auto text-12 text-ink-2">
          {formatDateTime(at)}
        </time>
      </div>
      <p className="mt-2 max-w-reading text-14 wrap-anywhere whitespace-pre-wrap text-ink">{text}</p>
      {children}
    </li>
  )
}

function Delivery({ entry: { delivery } }: { entry: ThreadEntry }) {
  if (delivery === 'failed') return <Badge tone="danger">Email failed</Badge>
  if (delivery === 'waiting') return <Badge tone="info">Email is being sent</Badge>
  return delivery === 'sent' ? <Badge tone="success">Email sent</Badge> : null
}
