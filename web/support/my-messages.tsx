import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { formatDate, formatDateTime } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Link } from '#web/kit/ui/link.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { paths } from '#web/paths.ts'

/** The member's messages to our staff. Nothing is shown before the first. */
export function MyMessages() {
  const messages = useInfiniteQuery(
    api.support.listMyMessages.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const rows = messages.data?.pages.flatMap(({ items }) => items)
  if (messages.isError && !rows) {
    return (
      <Card title="Your messages">
        <ErrorState
          level={3}
          title="Your messages could not be loaded"
          onRetry={() => void messages.refetch()}
          retrying={messages.isFetching}
          error={messages.error}
        />
      </Card>
    )
  }
  if (!rows || rows.length === 0) return null
  return (
    <Card title="Your messages" padding="none">
      <ul className="divide-y divide-line">
        {rows.map(({ id, subject, status, createdAt, answeredAt }) => (
          <li key={id} className="flex items-start gap-3 px-5 py-3.5">
            <div className="min-w-0 flex-1">
              <Link
                href={paths.myMessage(id)}
                className="block truncate rounded-4 text-14 font-medium text-ink hover:underline"
              >
                {subject}
              </Link>
              <p className="mt-0.5 text-13 text-ink-2">
                {answeredAt ? `Answered ${formatDateTime(answeredAt)}` : `Sent ${formatDate(createdAt)}`}
              </p>
            </div>
            <StatusBadge status={status} />
          </li>
        ))}
      </ul>
      {messages.hasNextPage ? (
        <LoadMore
          hasMore
          busy={messages.isFetchingNextPage}
          onLoadMore={() => void messages.fetchNextPage()}
          shown={rows.length}
          noun={['message', 'messages']}
        />
      ) : null}
    </Card>
  )
}
