import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, BellRing, CheckCheck, CircleAlert, Info } from 'lucide-react'
import { badgeOf } from '#contract/notifications.ts'
import type { Notice } from '#contract/notifications.ts'
import { api } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Timeline, TimelineRow } from '#web/kit/ui/timeline.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { TimelineSkeleton } from './timeline-skeleton.tsx'

/** /notifications: the member's notifications, newest first. */
export function NotificationsScreen() {
  const { data: me } = useQuery(api.members.getMe.queryOptions())
  const refetch = useRefetch()
  const markAll = useMutation(
    api.notifications.markAllNoticesRead.mutationOptions({
      onSuccess: () => toast({ title: 'All notifications marked as read', tone: 'success' }),
      onError: showFailure,
      onSettled: refetch,
    }),
  )
  const unread = me?.unread ?? 0
  return (
    <Page>
      <PageHeader
        title="Notifications"
        help={<span aria-live="polite">{unreadLabel(unread)}</span>}
        action={
          <Button
            icon={<CheckCheck />}
            busy={markAll.isPending}
            disabledReason={unread === 0 ? 'You have no unread notifications.' : null}
            onClick={() => markAll.mutate(undefined)}
          >
            Mark all as read
          </Button>
        }
      />
      <Card padding="none">
        <NoticeList />
      </Card>
    </Page>
  )
}

function NoticeList() {
  const notices = useInfiniteQuery(
    api.notifications.listNotices.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next ?? undefined,
    }),
  )
  if (notices.isPending) return <TimelineSkeleton label="Loading notifications" />
  if (notices.isError && !notices.data) {
    return (
      <ErrorState
        title="Your notifications could not be loaded"
        onRetry={() => void notices.refetch()}
        retrying={notices.isFetching}
      />
    )
  }
  const items = notices.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState icon={<Bell />} title="No notifications yet">
        We’ll notify you here about offers, deadlines and finished reviews.
      </EmptyState>
    )
  }
  return (
    <>
      <Timeline label="Notifications">
        {items.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </Timeline>
      <LoadMore
        hasMore={notices.hasNextPage}
        busy={notices.isFetchingNextPage}
        onLoadMore={() => void notices.fetchNextPage()}
        shown={items.length}
        noun={items.length === 1 ? 'notification' : 'notifications'}
      />
    </>
  )
}

function NoticeRow({ notice }: { notice: Notice }) {
  const refetch = useRefetch()
  const markRead = useMutation(
    api.notifications.markNoticeRead.mutationOptions({ onError: showFailure, onSettled: refetch }),
  )
  const { icon, tone, label } = priorities[notice.priority]
  return (
    <TimelineRow
      icon={icon}
      tone={tone}
      title={
        <>
          <span className="sr-only">{label}: </span>
          {notice.title}
        </>
      }
      at={notice.createdAt}
      unread={notice.unread}
      action={
        <>
          {notice.unread ? (
            <Button
              size="sm"
              variant="ghost"
              busy={markRead.isPending}
              aria-label={`Mark as read: ${notice.title}`}
              onClick={() => markRead.mutate({ id: notice.id })}
            >
              Mark as read
            </Button>
          ) : null}
          {notice.settled ? <Badge>No longer open</Badge> : null}
          {notice.action && !notice.settled ? (
            <LinkButton
              size="sm"
              href={notice.action.href}
              // Following the link marks the notification as read.
              onClick={() => (notice.unread ? markRead.mutate({ id: notice.id }) : undefined)}
            >
              {notice.action.label}
            </LinkButton>
          ) : null}
        </>
      }
    >
      {notice.message}
    </TimelineRow>
  )
}

function useRefetch() {
  const queryClient = useQueryClient()
  return () => {
    void queryClient.invalidateQueries({ queryKey: api.members.getMe.key() })
    return queryClient.invalidateQueries({ queryKey: api.notifications.listNotices.key() })
  }
}

function showFailure(error: unknown) {
  toast({ title: 'Error', description: failureOf(error).message, tone: 'danger' })
}

function unreadLabel(count: number): string {
  const badge = badgeOf(count)
  if (badge === null) return 'All caught up!'
  return `You have ${badge} unread ${count === 1 ? 'notification' : 'notifications'}`
}

const priorities = {
  high: { icon: <CircleAlert />, tone: 'danger', label: 'High priority' },
  medium: { icon: <BellRing />, tone: 'warning', label: 'Medium priority' },
  low: { icon: <Info />, tone: 'info', label: 'Low priority' },
} as const
