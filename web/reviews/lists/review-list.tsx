import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReviewState } from '#contract/reviews.ts'
import { api } from '#web/api.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { paths } from '#web/paths.ts'
import { ReviewListRow } from '../review-row.tsx'

export type Side = 'mine' | 'received'

const calls = { mine: api.reviews.listReviewsToWrite, received: api.reviews.listReviewsReceived }
const address = { mine: paths.review, received: paths.receivedReview }

/** One list of reviews, page by page. `state` and `search` are as for the call. */
export function useReviews(side: Side, input: { state?: ReviewState; search?: string }, enabled = true) {
  return useInfiniteQuery({
    ...calls[side].infiniteOptions({
      input: (cursor: string | undefined) => ({ ...input, cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
    enabled,
  })
}

type Query = ReturnType<typeof useReviews>

type ReviewListProps = { query: Query; side: Side; name: string; empty: ReactNode }

/** The rows of a list of reviews, or its loading, failed or empty state. It stands in a card. */
export function ReviewList({ query, side, name, empty }: ReviewListProps) {
  const reviews = query.data?.pages.flatMap(({ items }) => items)

  async function loadMore() {
    const { isFetchNextPageError, error } = await query.fetchNextPage()
    if (isFetchNextPageError) {
      toast({
        title: 'More reviews could not be loaded',
        description: refusalMessage(error, 'Nothing was lost. Try again in a moment.'),
        tone: 'danger',
      })
    }
  }

  if (reviews === undefined) {
    return query.isError ? (
      <ErrorState
        title={`${name} could not be loaded`}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
        error={query.error}
      />
    ) : (
      <Waiting />
    )
  }
  if (reviews.length === 0) return empty
  return (
    <>
      <ul aria-label={name} className="divide-y divide-line">
        {reviews.map((review) => (
          <ReviewListRow key={review.id} review={review} href={address[side](review.id)} side={side} />
        ))}
      </ul>
      <LoadMore
        shown={reviews.length}
        noun={['review', 'reviews']}
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        onLoadMore={() => void loadMore()}
      />
    </>
  )
}

type FoldedProps = { side: Side; open: boolean; onOpen: (open: boolean) => void }

/** The reviews that are over, loaded once they are unfolded. */
export function FinishedReviews({ side, open, onOpen }: FoldedProps) {
  const query = useReviews(side, { state: 'final' }, open)
  return (
    <Card padding="none">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          aria-controls="finished-reviews"
          onClick={() => onOpen(!open)}
          className={
            'flex w-full items-center gap-2 rounded-12 px-5 py-4 ' +
            'text-left text-14 font-semibold text-ink hover:bg-canvas focus-visible:-outline-offset-2'
          }
        >
          <ChevronRight
            size={16}
            aria-hidden="true"
            className={cx('shrink-0 text-ink-3 transition-transform duration-(--calm)', open && 'rotate-90')}
          />
          Finished reviews
        </button>
      </h2>
      <div id="finished-reviews" hidden={!open} className="border-t border-line">
        {open ? (
          <ReviewList
            query={query}
            side={side}
            name="Finished reviews"
            empty={<p className="px-5 py-6 text-14 text-ink-2">No review is finished yet.</p>}
          />
        ) : null}
      </div>
    </Card>
  )
}

/** A search or a state without any review. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title="No review fits"
      action={<Button onClick={onClear}>Show all reviews</Button>}
    >
      Search for another part of the product’s title, or choose another state.
    </EmptyState>
  )
}

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
