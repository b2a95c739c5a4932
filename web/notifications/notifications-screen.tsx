import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, BellRing, CheckCheck, CircleAlert, CircleCheck, Info } from 'lucide-react'
import { useState } from 'react'
import { badgeOf } from '#contract/notifications.ts'
import type { Notice } from '#contract/notifications.ts'
import { api } from '#web/api.ts'
import { failureOf } from '#web/kit/form-failure.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Timeline, TimelineRow } from '#web/kit/ui/timeline.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { byDay, groupNotices, noticesOf } from './notice-groups.ts'
import type { NoticeGroup } from './notice-groups.ts'
import { TimelineSkeleton } from './timeline-skeleton.tsx'

/** /notifications: the member's notifications, newest first; those about one thing stand together. */
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
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  if (notices.isPending) return <TimelineSkeleton label="Loading notifications" />
  if (notices.isError && !notices.data) {
    return (
      <ErrorState
        title="Your notifications could not be loaded"
        onRetry={() => void notices.refetch()}
        retrying={notices.isFetching}
        error={notices.error}
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
  const groups = groupNotices(items)
  const select = (group: NoticeGroup, on: boolean) => {
    const next = new Set(selected)
    if (on) next.add(group.newest.about)
    else next.delete(group.newest.about)
    setSelected(next)
  }
  return (
    <>
      <SelectionBar groups={groups} selected={selected} onSelect={setSelected} />
      {byDay(groups).map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="border-b border-line bg-sunken px-5 py-1.5 text-12 font-medium text-ink-2">{day}</h2>
          <div className="border-b border-line">
            <Timeline label={day}>
              {ofDay.map((group) => (
                <GroupRow
                  key={group.newest.about}
                  group={group}
                  isSelected={selected.has(group.newest.about)}
                  onSelect={(on) => select(group, on)}
                />
              ))}
            </Timeline>
          </div>
        </section>
      ))}
      <LoadMore
        hasMore={notices.hasNextPage}
        busy={notices.isFetchingNextPage}
        onLoadMore={() => void notices.fetchNextPage()}
        shown={items.length}
        noun={['notification', 'notifications']}
      />
    </>
  )
}

type SelectionBarProps = {
  groups: readonly NoticeGroup[]
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
}

/** Selects all that is shown, and marks what is selected as read. */
function SelectionBar({ groups, selected, onSelect }: SelectionBarProps) {
  const chosen = groups.filter(({ newest }) => selected.has(newest.about))
  const unread = chosen.flatMap(noticesOf).filter((notice) => notice.unread)
  const { markRead, busy } = useMarkRead()
  return (
    <div
      className={
        'flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-2 ' +
        'border-b border-line px-5 py-2'
      }
    >
      <Checkbox
        label={chosen.length === 0 ? 'Select all' : `${chosen.length} selected`}
        checked={chosen.length > 0 && chosen.length === groups.length}
        indeterminate={chosen.length > 0 && chosen.length < groups.length}
        onCheckedChange={(on) => onSelect(new Set(on ? groups.map(({ newest }) => newest.about) : []))}
      />
      {chosen.length > 0 ? (
        <Button
          size="sm"
          busy={busy}
          disabledReason={unread.length === 0 ? 'All of them are read.' : null}
          onClick={() => markRead(unread, () => onSelect(new Set()))}
        >
          Mark selected as read
        </Button>
      ) : null}
    </div>
  )
}

type GroupRowProps = { group: NoticeGroup; isSelected: boolean; onSelect: (on: boolean) => void }

function GroupRow({ group, isSelected, onSelect }: GroupRowProps) {
  const { newest: notice, earlier } = group
  const { markRead, busy } = useMarkRead()
  const unread = noticesOf(group).filter((each) => each.unread)
  const { icon, tone, label } = priorities[notice.priority]
  return (
    <TimelineRow
      select={
        <Checkbox
          hideLabel
          label={`Select: ${notice.title}`}
          checked={isSelected}
          onCheckedChange={onSelect}
        />
      }
      icon={notice.settled ? <CircleCheck /> : icon}
      tone={notice.settled ? 'neutral' : tone}
      title={
        <>
          <span className="sr-only">{label}: </span>
          {notice.title}
          {notice.priority === 'high' && !notice.settled ? (
            <Badge tone="danger" className="ml-2 align-middle">
              Important
            </Badge>
          ) : null}
        </>
      }
      at={notice.createdAt}
      unread={unread.length > 0}
      action={
        <>
          {unread.length > 0 ? (
            <Button
              size="sm"
              variant="ghost"
              busy={busy}
              aria-label={`Mark as read: ${notice.title}`}
              onClick={() => markRead(unread)}
            >
              Mark as read
            </Button>
          ) : null}
          {notice.settled ? <Badge>No longer open</Badge> : null}
          {notice.action && !notice.settled ? (
            <LinkButton
              size="sm"
              href={notice.action.href}
              // Following the link marks what it is about as read.
              onClick={() => markRead(unread)}
            >
              {notice.action.label}
            </LinkButton>
          ) : null}
        </>
      }
      below={earlier.length > 0 ? <Earlier notices={earlier} /> : null}
    >
      {notice.message}
    </TimelineRow>
  )
}

/** What came before about the same thing, folded away. */
function Earlier({ notices }: { notices: readonly Notice[] }) {
  return (
    <details className="mt-2">
      <summary
        className={
          'w-fit cursor-pointer rounded-4 py-0.5 ' +
          'text-12 font-medium text-accent-ink pointer-coarse:py-2.5'
        }
      >
        {notices.length === 1 ? '1 earlier about the same' : `${notices.length} earlier about the same`}
      </summary>
      <ol
        aria-label="Earlier about the same"
        className="mt-2 flex flex-col gap-3 border-l-2 border-line pl-3"
      >
        {notices.map((notice) => (
          <li key={notice.id}>
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 font-medium text-ink">
              {notice.title}
              {notice.settled ? <Badge>No longer open</Badge> : null}
            </p>
            <p className="text-13 text-pretty text-ink-2">{notice.message}</p>
            <time dateTime={notice.createdAt} className="block text-12 text-ink-3">
              {formatDateTime(notice.createdAt)}
            </time>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The most notifications that one call marks. */
const mostMarked = 200

function useMarkRead() {
  const refetch = useRefetch()
  const { mutate, isPending } = useMutation(
    api.notifications.markNoticesRead.mutationOptions({ onError: showFailure, onSettled: refetch }),
  )
  return {
    busy: isPending,
    markRead(notices: readonly Notice[], onDone?: () => void) {
      if (notices.length === 0) return
      const ids = notices.slice(0, mostMarked).map(({ id }) => id)
      mutate({ ids }, { onSuccess: onDone })
    },
  }
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
