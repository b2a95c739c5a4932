import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { useMyProducts } from './my-products.ts'
import { AddProductTile, ProductGrid, ProductGridSkeleton } from './product-grid.tsx'

/** /assets: all products of the member, those in the rotation first. */
export function AssetsScreen() {
  const { data, isPending, isFetching, refetch, live, archived } = useMyProducts()
  return (
    <Page>
      <PageHeader
        title="My Products"
        help="You connect each product by its coupon link. Ten can be in the rotation at a time."
      />
      {data ? (
        <>
          <ProductGrid
            label="My Products"
            level={2}
            products={live}
            tile={<AddProductTile live={live.length} />}
          />
          {archived.length > 0 ? (
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
              <ProductGrid label="Archived" level={3} products={archived} />
            </section>
          ) : null}
        </>
      ) : isPending ? (
        <ProductGridSkeleton cards={6} />
      ) : (
        <ErrorState
          title="Your products could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
    </Page>
  )
}
