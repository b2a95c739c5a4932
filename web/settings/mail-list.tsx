import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { mailKinds } from '#contract/mails.ts'
import type { MailGroup } from '#contract/mails.ts'
import { noticeKinds } from '#contract/notifications.ts'
import { retention } from '#contract/retention.ts'
import { api } from '#web/api.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { FailedCard, LoadingCard } from './settings-section.tsx'

const title = 'Every email, and when we last sent it'

const groups: { group: MailGroup; name: string; help: string }[] = [
  ...(['offers', 'nudges', 'writing', 'receiving', 'membership'] as const).map((group) => ({
    group,
    name: noticeKinds[group].title,
    help: 'You can switch these off above.',
  })),
  { group: 'always', name: 'Always sent', help: 'They protect your account, your money and your rights.' },
]

/** What each mail is, and when the member last got one. */
export function MailList() {
  const mails = useQuery(api.notifications.listMyMails.queryOptions())
  if (mails.isPending) return <LoadingCard title={title} />
  if (mails.isError && !mails.data) {
    return (
      <FailedCard
        title={title}
        what="Your emails could not be loaded"
        onRetry={() => void mails.refetch()}
        retrying={mails.isFetching}
        error={mails.error}
      />
    )
  }
  const sent = new Map(mails.data.map(({ template, sentAt }) => [template, sentAt]))
  return (
    <Card
      level={3}
      title={title}
      help={`Times are in your time zone. We keep this for ${retention.mailDays} days.`}
      padding="none"
    >
      <div className="divide-y divide-line">
        {groups.map(({ group, name, help }) => (
          <MailGroupPart key={group} group={group} name={name} help={help} sent={sent} />
        ))}
      </div>
    </Card>
  )
}

type MailGroupPartProps = { group: MailGroup; name: string; help: string; sent: ReadonlyMap<string, string> }

function MailGroupPart({ group, name, help, sent }: MailGroupPartProps) {
  const mails = Object.entries(mailKinds).filter(([, kind]) => kind.group === group)
  return (
    <details className="group">
      <summary
        className={
          'flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 px-5 py-2.5 ' +
          '[&::-webkit-details-marker]:hidden'
        }
      >
        <span className="text-14 font-medium text-ink">{name}</span>
        <span className="flex items-center gap-2 text-12 text-ink-3">
          {mails.length === 1 ? '1 email' : `${mails.length} emails`}
          <ChevronDown size={16} aria-hidden="true" className="transition-transform group-open:rotate-180" />
        </span>
      </summary>
      <p className="px-5 pb-2 text-12 text-ink-3">{help}</p>
      <dl className="divide-y divide-line border-t border-line">
        {mails.map(([template, { title: subject, when }]) => (
          <div key={template} className="flex flex-col gap-x-4 px-5 py-2.5 sm:flex-row sm:justify-between">
            <dt className="min-w-0 text-13 text-ink">
              {subject}
              <span className="block text-12 text-pretty text-ink-2">{when}</span>
            </dt>
            <dd className="shrink-0 text-12 text-ink-3">
              <LastSending at={sent.get(template)} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function LastSending({ at }: { at: string | undefined }) {
  if (at === undefined) return <>Not in the last {retention.mailDays} days</>
  return <time dateTime={at}>{formatDateTime(at)}</time>
}
