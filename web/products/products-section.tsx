import { useRouter } from '@tanstack/react-router'
import { useId } from 'react'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { paths } from '#web/paths.ts'
import { useMyProducts } from './my-products.ts'
import { AddProductTile, ProductGrid, ProductGridSkeleton } from './product-grid.tsx'

/** The member's products in the rotation, for the dashboard. Shows the first steps while there are none. */
export function MyProducts() {
  const headingId = useId()
  const router = useRouter()
  const { data, isPending, isFetching, refetch, live, archived } = useMyProducts()
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <div className="mt-2 flex items-baseline justify-between gap-4">
        <h2 id={headingId} className="text-18 font-semibold text-ink">
          My Products
        </h2>
        {archived.length > 0 ? (
          <TextLink href={paths.assets()} className="text-13">
            {archived.length} archived
          </TextLink>
        ) : null}
      </div>
      {data?.length === 0 ? <FirstSteps /> : null}
      {data ? (
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
            level={3}
          />
        </Card>
      )}
    </section>
  )
}

const steps = [
  {
    title: 'Connect a product',
    text: 'Paste the coupon link of one of your listings. Its files stay on the marketplace.',
  },
  {
    title: 'Ask for a review',
    text: 'Press Get Reviewed. The rotation draws a member at random, so there are no direct trades.',
  },
  {
    title: 'Give one for one',
    text: 'When you get an offer, buy the product with the coupon, use it and write what you think.',
  },
]

/** How the exchange works, for a member without products. */
function FirstSteps() {
  return (
    <Card title="First steps" level={3}>
      <ol className="grid gap-5 md:grid-cols-3">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden="true"
              className="tabular flex size-7 shrink-0 items-center justify-center rounded-full border border-accent-line bg-accent-soft text-13 font-semibold text-accent-ink"
            >
              {index + 1}
            </span>
            <div>
              <h4 className="text-14 font-semibold text-ink">{title}</h4>
              <p className="mt-0.5 text-13 text-pretty text-ink-2">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}
