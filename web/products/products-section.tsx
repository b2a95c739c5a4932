import { useRouter } from '@tanstack/react-router'
import { useId } from 'react'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { useArchivedProducts, useMyProducts } from './my-products.ts'
import { AddProductTile, ProductGrid, ProductGridSkeleton } from './product-grid.tsx'

/** The member's products in the rotation, for the dashboard. */
export function MyProducts() {
  const headingId = useId()
  const router = useRouter()
  const { data: live, isPending, error, isFetching, refetch } = useMyProducts()
  const archived = useArchivedProducts()
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <div className="mt-2 flex items-baseline justify-between gap-4">
        <h2 id={headingId} className="text-18 font-semibold text-ink">
          My Products
        </h2>
        {archived.products.length > 0 ? (
          <TextLink href={paths.assets()} className="text-13">
            {archived.products.length}
            {archived.hasNextPage ? '+' : null} archived
          </TextLink>
        ) : null}
      </div>
      {live ? (
        <ProductGrid
          label="My Products"
          level={3}
          products={live}
          tile={
            <AddProductTile
              live={live.length}
              onConnected={() => void router.navigate({ href: paths.assets() })}
            />
          }
        />
      ) : isPending ? (
        <ProductGridSkeleton cards={3} />
      ) : (
        <Card>
          <ErrorState
            title="Your products could not be loaded"
            onRetry={() => void refetch()}
            retrying={isFetching}
            error={error}
            level={3}
          />
        </Card>
      )}
    </section>
  )
}
