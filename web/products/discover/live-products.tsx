import { useEffect, useEffectEvent, useRef } from 'react'
import type { ReactNode } from 'react'
import type { LiveProduct, TrendingProduct } from '#contract/discover.ts'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { toast } from '#web/kit/ui/toast.tsx'
import { LiveProductCard } from './live-product-card.tsx'

type LiveProductsProps = {
  label: string
  query: {
    data: { pages: { items: (LiveProduct | TrendingProduct)[] }[] } | undefined
    isError: boolean
    error?: unknown
    isFetching: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    hasNextPage: boolean
    refetch: () => Promise<unknown>
    fetchNextPage: () => Promise<{ isFetchNextPageError: boolean; error: unknown }>
  }
  onOpen: (id: string) => void
  onTag: (tag: string) => void
  /** Whether the place in the list is shown. */
  ranked?: boolean
  /** Shown without a product. */
  empty: ReactNode
}

/** Products as cards. More are loaded near the end of the page, and by a button. */
export function LiveProducts({ label, query, onOpen, onTag, ranked = false, empty }: LiveProductsProps) {
  const products = query.data?.pages.flatMap(({ items }) => items)

  async function loadMore() {
    const { isFetchNextPageError, error } = await query.fetchNextPage()
    if (isFetchNextPageError) {
      toast({
        title: 'More products could not be loaded',
        description: refusalMessage(error, 'Nothing was lost. Try again in a moment.'),
        tone: 'danger',
      })
    }
  }

  if (!products) {
    return query.isError ? (
      <Card padding="none">
        <ErrorState
          title="The products could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          error={query.error}
        />
      </Card>
    ) : (
      <Waiting />
    )
  }
  if (products.length === 0) return <Card padding="none">{empty}</Card>
  return (
    <>
      <ul aria-label={label} className={gridLook}>
        {products.map((product, at) => (
          <li key={product.id} className="min-w-0">
            <LiveProductCard
              product={product}
              rank={ranked ? at + 1 : undefined}
              onOpen={() => onOpen(product.id)}
              onTag={onTag}
            />
          </li>
        ))}
      </ul>
      <div className="flex items-center justify-between gap-4">
        <output className="tabular text-13 text-ink-3">
          {products.length === 1 ? '1 product' : `${products.length} products`}
          {query.hasNextPage ? ' shown' : null}
        </output>
        {query.hasNextPage ? (
          <>
            {/* After a failure only the button loads more, so that the page does not keep asking. */}
            {query.isFetchNextPageError ? null : <NearEnd onReach={() => void loadMore()} />}
            <Button busy={query.isFetchingNextPage} busyLabel="Loading..." onClick={() => void loadMore()}>
              Load more
            </Button>
          </>
        ) : null}
      </div>
    </>
  )
}

/** Notices when the end of the list comes near the window. */
function NearEnd({ onReach }: { onReach: () => void }) {
  const end = useRef<HTMLSpanElement>(null)
  const reach = useEffectEvent(onReach)
  // An effect, because only the browser knows what is near the window.
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && reach(),
      { rootMargin: '600px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [])
  return <span ref={end} aria-hidden="true" />
}

function Waiting() {
  return (
    <Loading label="Loading the products" className={gridLook}>
      {Array.from({ length: 8 }, (_, card) => (
        <div key={card} className="overflow-hidden rounded-12 border border-line bg-surface">
          <Skeleton className="aspect-4/3 rounded-none!" />
          <div className="flex flex-col gap-3 p-4">
            <div className="flex justify-between">
              <Skeleton className="h-5.5 w-24 rounded-full!" />
              <Skeleton className="h-5 w-12" />
            </div>
            <Skeleton className="h-5 w-4/5" />
            <Skeleton className="h-4 w-full" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

const gridLook = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-4'
