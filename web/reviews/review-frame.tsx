import type { ReactNode } from 'react'
import type { ImageFocus } from '#contract/products.ts'
import { refusalCode } from '#web/kit/refusal-messages.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { ErrorState } from '#web/kit/ui/error-state.tsx'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { PageHeader } from '#web/kit/ui/page-header.tsx'
import { Page } from '#web/kit/ui/page.tsx'
import { Loading, Skeleton } from '#web/kit/ui/skeleton.tsx'
import { ProductImage } from '#web/products/product-image.tsx'

/*
 * What the reviewer's and the seller's screens of a review share: the header, the two columns, and the states
 * while the review loads or cannot be loaded.
 */

type ReviewFrameProps = {
  /** The list that the breadcrumb links to. */
  list: string
  title: string
  tag: ReactNode
  help: string
  /** Above both columns. */
  progress?: ReactNode
  children: ReactNode
  /** The narrow column. */
  aside: ReactNode
}

/** A review's page: the task in the wide column, the product in the narrow one. */
export function ReviewFrame({ list, title, tag, help, progress, children, aside }: ReviewFrameProps) {
  return (
    <Page>
      <PageHeader
        breadcrumb={[{ label: 'Reviews', href: list }]}
        title={<span className="wrap-anywhere">{title}</span>}
        badge={tag}
        help={help}
      />
      {progress}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">{children}</div>
        {aside}
      </div>
    </Page>
  )
}

type ReviewMissingProps = {
  query: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> }
  list: string
  /** Why the review may be missing for this member. */
  whyMissing: string
}

/** Shown when a review could not be loaded or does not exist. */
export function ReviewMissing({ query, list, whyMissing }: ReviewMissingProps) {
  const isMissing = refusalCode(query.error) === 'NOT_FOUND'
  return (
    <Page>
      <Card>
        <ErrorState
          level={1}
          title={isMissing ? 'Review not found' : 'This review could not be loaded'}
          onRetry={isMissing ? undefined : () => void query.refetch()}
          retrying={query.isFetching}
          error={query.error}
          action={<LinkButton href={list}>All reviews</LinkButton>}
        >
          {isMissing ? whyMissing : undefined}
        </ErrorState>
      </Card>
    </Page>
  )
}

/** A placeholder while a review loads, with or without its steps. */
export function ReviewSkeleton({ steps = false }: { steps?: boolean }) {
  return (
    <Page>
      <h1 id="page-title" tabIndex={-1} className="sr-only">
        Review
      </h1>
      <Loading label="Loading the review" className="flex flex-col gap-6">
        <div className="flex flex-col gap-2">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="h-7 w-72 max-w-full" />
          <Skeleton className="h-5 w-96 max-w-full" />
        </div>
        {steps ? <Skeleton className="h-36 rounded-12" /> : null}
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Skeleton className="h-80 rounded-12" />
          <Skeleton className="h-72 rounded-12" />
        </div>
      </Loading>
    </Page>
  )
}

type ReviewedProductProps = {
  product: { image: string | null; imageFocus?: ImageFocus; category: string }
  children: ReactNode
}

/** A card with the product's picture and, below it, details of the product. */
export function ReviewedProduct({ product, children }: ReviewedProductProps) {
  return (
    <Card padding="none">
      <ProductImage
        imageId={product.image}
        focus={product.imageFocus}
        category={product.category}
        sizes="(width < 64rem) 100vw, 340px"
        eager
        className="aspect-4/3 w-full rounded-t-12 border-b border-line"
      />
      {children}
    </Card>
  )
}
