import { Download, Eye, Star } from 'lucide-react'
import { useId } from 'react'
import type { ReactNode } from 'react'
import type { ProductCard as Product } from '#contract/products.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { ExchangeSteps } from './exchange-path.tsx'
import { Price } from './price.tsx'
import { showRefusal, useProductActions } from './product-actions.ts'
import { ProductImage } from './product-image.tsx'
import { ProductMenu } from './product-menu.tsx'
import type { ProductView } from './product-menu.tsx'
import { RequestButton, requestState } from './request-button.tsx'

type ProductCardProps = {
  product: Product
  /** The heading level of its title, below the heading of its list. */
  level: 2 | 3
  onOpen: (view: ProductView) => void
  /** The pointer or the focus is on the card, so a dialog may be opened next. */
  onReach?: () => void
}

const shownTags = 3

/** Makes a button as large as its card, for presses and for the focus outline. */
export const wholeCardLook =
  'after:absolute after:inset-0 after:rounded-12 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus'

/** One of the member's products. The whole card opens its details, except the request button and the menu. */
export function ProductCard({ product, level, onOpen, onReach }: ProductCardProps) {
  const titleId = useId()
  const Heading = `h${level}` as const
  return (
    <article
      aria-labelledby={titleId}
      className="relative flex h-full flex-col overflow-hidden rounded-12 border border-line bg-surface transition-colors hover:border-line-strong"
    >
      <ProductImage
        imageId={product.imageId}
        category={product.category}
        sizes="(width < 40rem) 100vw, 340px"
        className="aspect-4/3 w-full border-b border-line"
      />
      <div className="flex flex-1 flex-col p-4">
        <div className="flex items-center justify-between gap-3">
          <CategoryBadge category={product.category} className="shrink" />
          <p className="shrink-0 text-14 font-semibold text-ink">
            <Price cents={product.priceCents} />
          </p>
        </div>
        <Heading id={titleId} className="mt-3 text-14 font-semibold text-ink">
          <button
            type="button"
            aria-haspopup="dialog"
            onPointerEnter={onReach}
            onFocus={onReach}
            onClick={() => onOpen('details')}
            className={cx('line-clamp-2 text-left text-pretty wrap-anywhere', wholeCardLook)}
          >
            {product.title}
          </button>
        </Heading>
        <p className="mt-1 line-clamp-2 text-13 text-pretty wrap-anywhere text-ink-2">
          {product.description ?? 'No description provided'}
        </p>
        <Tags tags={product.tags} />
        <div className="mt-auto flex items-center justify-between gap-3 pt-3 text-12 text-ink-3">
          <Figures product={product} />
          <span className="min-w-0 truncate">
            <span className="sr-only">Author: </span>
            {product.author}
          </span>
        </div>
        {product.request?.path ? (
          <div className="mt-3 border-t border-line pt-3">
            <ExchangeSteps path={product.request.path} />
          </div>
        ) : null}
        <div className="relative z-1 mt-3 flex items-center gap-1.5">
          <div className="min-w-0 flex-1">
            <MainAction product={product} />
          </div>
          <ProductMenu product={product} onOpen={onOpen} />
        </div>
      </div>
    </article>
  )
}

function MainAction({ product }: { product: Product }) {
  const { restore, restoring } = useProductActions(product)
  const state = requestState(product)
  if (!product.archived || state === 'in_review' || state === 'completed')
    return <RequestButton product={product} wide />
  return (
    <Button wide busy={restoring} onClick={() => void restore().catch(showRefusal)}>
      Restore
    </Button>
  )
}

function Tags({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null
  const more = tags.length - shownTags
  return (
    <ul aria-label="Tags" className="mt-3 flex flex-wrap gap-1.5">
      {tags.slice(0, shownTags).map((tag) => (
        <li key={tag} className="flex max-w-full min-w-0">
          <Badge>{tag}</Badge>
        </li>
      ))}
      {more > 0 ? (
        <li>
          <Badge>
            <span aria-hidden="true">+{more}</span>
            <span className="sr-only">{more} more</span>
          </Badge>
        </li>
      ) : null}
    </ul>
  )
}

function Figures({ product: { rating, reviews, downloads, views } }: { product: Product }) {
  return (
    <ul aria-label="Figures" className="tabular flex shrink-0 items-center gap-3">
      <Figure
        icon={<Star aria-hidden="true" className={rating === null ? undefined : 'fill-star text-star'} />}
        text={
          rating === null
            ? 'No rating yet'
            : `${rating.toFixed(1)} out of 5 stars, ${counted(reviews, 'review')}`
        }
      >
        {rating === null ? '–' : `${rating.toFixed(1)} (${reviews})`}
      </Figure>
      <Figure icon={<Download aria-hidden="true" />} text={counted(downloads, 'download')}>
        {downloads === 0 ? '–' : downloads}
      </Figure>
      <Figure icon={<Eye aria-hidden="true" />} text={counted(views, 'view')}>
        {views === 0 ? '–' : views}
      </Figure>
    </ul>
  )
}

function Figure({ icon, text, children }: { icon: ReactNode; text: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1 [&_svg]:size-3.5">
      {icon}
      <span aria-hidden="true">{children}</span>
      <span className="sr-only">{text}</span>
    </li>
  )
}

/** '1 review', '12 downloads', 'No views yet'. */
export function counted(count: number, noun: string): string {
  if (count === 0) return `No ${noun}s yet`
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
