import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Activity, CreditCard, Shuffle, Star } from 'lucide-react'
import type { ActivityItem } from '#contract/notifications.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { TestPaymentsMark } from '#web/kit/ui/test-payments-mark.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { Timeline, TimelineRow } from '#web/kit/ui/timeline.tsx'
import { meOptions } from '#web/members/me.ts'
import { TimelineSkeleton } from './timeline-skeleton.tsx'

type ActivityType = ActivityItem['type']

const tabs = [
  { value: 'all', label: 'All' },
  { value: 'reviews', label: 'Reviews' },
  { value: 'matching', label: 'Matching' },
  { value: 'billing', label: 'Billing' },
] as const

type ActivityScreenProps = { type?: ActivityType; onSearch: (search: { type?: ActivityType }) => void }

/** /activity: the member's requests, offers, reviews and payments, newest first. */
export function ActivityScreen({ type, onSearch }: ActivityScreenProps) {
  const { data: me } = useQuery(meOptions())
  return (
    <Page>
      <PageHeader
        title="Activity"
        help={
          'Your requests, offers, ' +
          `${me?.payments === 'closed' ? 'reviews and membership' : 'reviews and payments'}.`
        }
        badge={me?.payments === 'test' ? <TestPaymentsMark /> : null}
      />
      <Tabs
        label="Type of activity"
        tabs={tabs}
        value={type ?? 'all'}
        onValueChange={(next) => onSearch(next === 'all' ? {} : { type: next })}
      >
        <Card padding="none">
          <ActivityList key={type ?? 'all'} type={type} />
        </Card>
      </Tabs>
    </Page>
  )
}

function ActivityList({ type }: { type: ActivityType | undefined }) {
  const activity = useInfiniteQuery(
    api.notifications.listActivity.infiniteOptions({
      input: (cursor: string | undefined) => ({ type, cursor }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next ?? undefined,
    }),
  )
  if (activity.isPending) return <TimelineSkeleton label="Loading activity" />
  if (activity.isError && !activity.data) {
    return (
      <ErrorState
        title="Your activity could not be loaded"
        onRetry={() => void activity.refetch()}
        retrying={activity.isFetching}
        error={activity.error}
      />
    )
  }
  const items = activity.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState icon={<Activity />} title="No activity to display">
        What happens to your requests, offers and reviews will show up here.
      </EmptyState>
    )
  }
  return (
    <>
      <Timeline label="Activity">
        {items.map((item) => (
          <TimelineRow
            key={item.id}
            icon={icons[item.type]}
            tone={tones[item.status]}
            title={item.title}
            at={item.createdAt}
            action={
              item.href ? (
                <LinkButton size="sm" href={item.href} aria-label={`View: ${item.title}`}>
                  View
                </LinkButton>
              ) : null
            }
          >
            {item.description}
          </TimelineRow>
        ))}
      </Timeline>
      <LoadMore
        hasMore={activity.hasNextPage}
        busy={activity.isFetchingNextPage}
        onLoadMore={() => void activity.fetchNextPage()}
        shown={items.length}
        noun={['event', 'events']}
      />
    </>
  )
}

const icons = { reviews: <Star />, matching: <Shuffle />, billing: <CreditCard /> }

const tones = { success: 'success', error: 'danger', pending: 'warning', info: 'info' } as const
