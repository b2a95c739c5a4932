import { Compass, ListChecks } from 'lucide-react'
import { useState } from 'react'
import { liveProductsLimit } from '#contract/products.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { LoadMore } from '#web/kit/ui/load-more.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { paths } from '#web/paths.ts'
import { useArchivedProducts, useMyProducts } from './my-products.ts'
import { AddProductTile, ProductGrid, ProductGridSkeleton } from './product-grid.tsx'
import { SelectionBar } from './arranging/selection-bar.tsx'
import { useMoveProduct } from './arranging/use-move-product.ts'

/** /assets: the member's products in the rotation in their own order, then the archived ones. */
export function AssetsScreen() {
  const { data: live, isPending, error, isFetching, refetch } = useMyProducts()
  const archived = useArchivedProducts()
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null)
  const move = useMoveProduct(live ?? [])
  const all = [...(live ?? []), ...archived.products]
  const selected = ids ? { ids, toggle: (id: string) => setIds(toggled(ids, id)) } : undefined

  return (
    <Page>
      <PageHeader
        title="My Products"
        help={
          'You connect each product by its coupon link. ' +
          `Up to ${liveProductsLimit} can be in the rotation at a time.`
        }
        action={
          <>
            <LinkButton href={paths.discover()} icon={<Compass aria-hidden="true" />}>
              Discover
            </LinkButton>
            {all.length > 1 && !ids ? (
              <Button icon={<ListChecks aria-hidden="true" />} onClick={() => setIds(new Set())}>
                Select
              </Button>
            ) : null}
          </>
        }
      />
      {live ? (
        <>
          <ProductGrid
            label="My Products"
            level={2}
            products={live}
            tile={ids ? undefined : <AddProductTile live={live.length} />}
            onMove={move}
            selected={selected}
          />
          {archived.products.length > 0 ? (
            <section aria-labelledby="archived-products" className="mt-4 flex flex-col gap-4">
              <div>
                <h2 id="archived-products" className="text-16 font-semibold text-ink">
                  Archived
                </h2>
                <p className="mt-0.5 text-13 text-ink-2">
                  These are out of the rotation. Reviews in progress continue, and you can restore a product
                  anytime.
                </p>
              </div>
              <ProductGrid label="Archived" level={3} products={archived.products} selected={selected} />
              {archived.hasNextPage ? (
                <LoadMore
                  hasMore
                  busy={archived.isFetchingNextPage}
                  onLoadMore={() => void archived.fetchNextPage()}
                  shown={archived.products.length}
                  noun={['archived product', 'archived products']}
                />
              ) : null}
            </section>
          ) : null}
          {archived.isError && archived.products.length === 0 ? (
            <ErrorState
              title="Your archived products could not be loaded"
              onRetry={() => void archived.refetch()}
              retrying={archived.isFetching}
              error={archived.error}
            />
          ) : null}
          {ids ? (
            <SelectionBar selected={all.filter(({ id }) => ids.has(id))} onDone={() => setIds(null)} />
          ) : null}
        </>
      ) : isPending ? (
        <ProductGridSkeleton cards={6} />
      ) : (
        <ErrorState
          title="Your products could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
          error={error}
        />
      )}
    </Page>
  )
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? new Set([...ids].filter((each) => each !== id)) : new Set([...ids, id])
}
