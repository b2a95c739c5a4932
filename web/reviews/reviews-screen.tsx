import { useInfiniteQuery } from '@tanstack/react-query'
import { Inbox, PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReviewRow } from '#contract/reviews.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { Tabs } from '#web/kit/ui/tabs.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { BalanceCard } from '#web/matching/balance-card.tsx'
import { paths } from '#web/paths.ts'
import { ReviewListRow } from './review-row.tsx'

type ReviewsScreenProps = {
  /** Which list, from the URL. Undefined for the reviews to write. */
  list?: 'received'
  onSearch: (search: { list?: 'received' }) => void
}

/** The reviews a member writes, and the reviews of their products. */
export function ReviewsScreen({ list, onSearch }: ReviewsScreenProps) {
  return (
    <Page>
      <PageHeader
        title="Reviews"
        help="Reviews you owe, and reviews you’ve received."
        action={<LinkButton href={paths.moderation()}>Your reports</LinkButton>}
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Tabs
          label="Lists of reviews"
          tabs={[
            { value: 'mine', label: 'To write' },
            { value: 'received', label: 'Received' },
          ]}
          value={list ?? 'mine'}
          onValueChange={(next) => onSearch(next === 'received' ? { list: 'received' } : {})}
        >
          {list === 'received' ? <Received /> : <ToWrite />}
        </Tabs>
        <BalanceCard />
      </div>
    </Page>
  )
}

function ToWrite() {
  return (
    <List
      query={useInfiniteQuery(api.reviews.listReviewsToWrite.infiniteOptions(pageByPage))}
      name="Your reviews"
      side="mine"
      empty={
        <EmptyState
          icon={<PenLine />}
          title="Nothing to write"
          action={<LinkButton href={paths.dashboard()}>Go to Dashboard</LinkButton>}
        >
          When the rotation draws you, an offer opens on the page you’re on. Once you accept it, you write the
          review here.
        </EmptyState>
      }
    />
  )
}

function Received() {
  return (
    <List
      query={useInfiniteQuery(api.reviews.listReviewsReceived.infiniteOptions(pageByPage))}
      name="Reviews of your products"
      side="received"
      empty={
        <EmptyState
          icon={<Inbox />}
          title="No reviews yet"
          action={
            <LinkButton href={paths.assets()} variant="primary">
              My Products
            </LinkButton>
          }
        >
          Press Get Reviewed on one of your products. We’ll draw a member for it, and you can follow the
          review here.
        </EmptyState>
      }
    />
  )
}

const pageByPage = {
  input: (cursor: string | undefined) => ({ cursor }),
  initialPageParam: undefined,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
}

type ListProps = {
  query: {
    data: { pages: { items: ReviewRow[] }[] } | undefined
    isError: boolean
    isFetching: boolean
    isFetchingNextPage: boolean
    hasNextPage: boolean
    refetch: () => Promise<unknown>
    fetchNextPage: () => Promise<{ isFetchNextPageError: boolean }>
  }
  name: string
  side: 'mine' | 'received'
  empty: ReactNode
}

function List({ query, name, side, empty }: ListProps) {
  const reviews = query.data?.pages.flatMap(({ items }) => items)

  async function loadMore() {
    const { isFetchNextPageError } = await query.fetchNextPage()
    if (isFetchNextPageError) {
      toast({
        title: 'More reviews could not be loaded',
        description: 'Nothing was lost. Try again in a moment.',
        tone: 'danger',
      })
    }
  }

  if (reviews === undefined) {
    return (
      <Card padding="none">
        {query.isError ? (
          <ErrorState
            title={`${name} could not be loaded`}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : (
          <Waiting />
        )}
      </Card>
    )
  }
  if (reviews.length === 0) return <Card padding="none">{empty}</Card>
  return (
    <Card padding="none">
      <ul aria-label={name} className="divide-y divide-line">
        {reviews.map((review) => (
          <ReviewListRow key={review.id} review={review} href={address[side](review.id)} side={side} />
        ))}
      </ul>
      <LoadMore
        shown={reviews.length}
        noun={reviews.length === 1 ? 'review' : 'reviews'}
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        onLoadMore={() => void loadMore()}
      />
    </Card>
  )
}

const address = { mine: paths.review, received: paths.receivedReview }

function Waiting() {
  return (
    <Loading label="Loading reviews" className="divide-y divide-line">
      {['first', 'second', 'third'].map((row) => (
        <div key={row} className="flex items-center gap-4 px-5 py-4">
          <Skeleton className="size-12 rounded-8" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-3.5 w-2/5" />
          </div>
          <Skeleton className="h-5.5 w-20 rounded-full" />
        </div>
      ))}
    </Loading>
  )
}
