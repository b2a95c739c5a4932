import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import type { ProductCard as Product, ProductExchange } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { formatDate, formatDay } from '#web/kit/time.ts'
import { Dialog } from '#web/kit/ui/dialog.tsx'
import { EmptyState } from '#web/kit/ui/empty-state.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'
import { paths } from '#web/paths.ts'
import { HowDrawn } from './exchange-path.tsx'

type ProductHistoryDialogProps = { product: Product; open: boolean; onClose: () => void }

/** The requests for reviews of a product, and what came of each. */
export function ProductHistoryDialog({ product, open, onClose }: ProductHistoryDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="History"
      description={<span className="wrap-anywhere">{product.title}</span>}
    >
      {open ? <Exchanges id={product.id} /> : null}
    </Dialog>
  )
}

function Exchanges({ id }: { id: string }) {
  const query = useInfiniteQuery(
    api.products.listProductExchanges.infiniteOptions({
      input: (cursor: string | undefined) => ({ id, cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const exchanges = query.data?.pages.flatMap(({ items }) => items)
  if (!exchanges) {
    return query.isError ? (
      <ErrorState
        title="The history could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
        error={query.error}
        level={3}
      />
    ) : (
      <Loading label="Loading the history" className="flex flex-col gap-3">
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-12 w-full" />
      </Loading>
    )
  }
  if (exchanges.length === 0) {
    return (
      <EmptyState icon={<History />} title="No requests yet">
        Press Get Reviewed on the product. Each request and its review appear here.
      </EmptyState>
    )
  }
  return (
    <div className="-mx-5 border-t border-line">
      <ul aria-label="Requests and reviews" className="divide-y divide-line">
        {exchanges.map((exchange) => (
          <Exchange key={exchange.id} exchange={exchange} />
        ))}
      </ul>
      <LoadMore
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        onLoadMore={() => void query.fetchNextPage()}
        shown={exchanges.length}
        noun={['request', 'requests']}
      />
    </div>
  )
}

function Exchange({
  exchange: { id, status, requestedAt, endedOn, hasReceipt, reviewId },
}: {
  exchange: ProductExchange
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3">
      <p className="text-13 text-ink-2">
        Requested <time dateTime={requestedAt}>{formatDate(requestedAt)}</time>
        {endedOn ? (
          <>
            {status === 'completed' ? ', verified ' : ', ended '}
            <time dateTime={endedOn}>{formatDay(endedOn)}</time>
          </>
        ) : null}
        {hasReceipt ? <HowDrawn request={id} className="ml-3 whitespace-nowrap" /> : null}
      </p>
      <span className="flex items-center gap-3">
        {status === 'held' ? (
          <StatusBadge status="paused" label="On hold" />
        ) : (
          <StatusBadge status={status} />
        )}
        {reviewId ? <TextLink href={paths.receivedReview(reviewId)}>See Review</TextLink> : null}
      </span>
    </li>
  )
}
