import { Check, Download, Eye, Star } from 'lucide-react'
import { useId } from 'react'
import type { ReactNode } from 'react'
import type { ProductCard as Product } from '#contract/products.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { ExchangeSteps, HowDrawn } from './exchange-path.tsx'
import { Price } from './price.tsx'
import { useProductActions } from './product-actions.ts'
import { ProductImage } from './product-image.tsx'
import { explainRestore, ProductMenu } from './product-menu.tsx'
import type { Arrange, ProductView } from './product-menu.tsx'
import { cardTags, ProductTags } from './product-tags.tsx'
import { isWaiting, RequestButton, requestState } from './request-button.tsx'

type ProductCardProps = {
  product: Product
  /** The heading level of its title, below the heading of its list. */
  level: 2 | 3
  onOpen: (view: ProductView) => void
  /** The pointer or the focus is on the card, so a dialog may be opened next. */
  onReach?: () => void
  arrange?: Arrange
  /** While products are being selected: whether this one is, and what a press does. */
  selection?: { selected: boolean; toggle: () => void }
}

/** Makes a button as large as its card, for presses and for the focus outline. */
export const wholeCardLook =
  'after:absolute after:inset-0 after:rounded-12 focus-visible:outline-none ' +
  'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus'

/** One of the member's products. The whole card opens its details, except the request button and the menu. */
export function ProductCard({ product, level, onOpen, onReach, arrange, selection }: ProductCardProps) {
  const titleId = useId()
  const Heading = `h${level}` as const
  return (
    <article
      aria-labelledby={titleId}
      className={cx(
        'relative flex h-full flex-col overflow-hidden rounded-12 border bg-surface transition-colors',
        selection?.selected ? 'border-accent' : 'border-line hover:border-line-strong',
      )}
    >
      <ProductImage
        imageId={product.imageId}
        focus={product.imageFocus}
        category={product.category}
        sizes="(width < 40rem) 100vw, 340px"
        className="aspect-4/3 w-full border-b border-line"
      />
      {selection ? <Tick selected={selection.selected} /> : null}
      <div className="flex flex-1 flex-col p-4">
        <div className="flex items-center justify-between gap-3">
          <CategoryBadge category={product.category} className="shrink" />
          <p className="shrink-0 text-14 font-semibold text-ink">
            <Price cents={product.priceCents} />
          </p>
        </div>
        <Heading id={titleId} className="mt-3 text-14 font-semibold text-ink">
          {selection ? (
            <button
              type="button"
              // An input cannot hold the title, which is clamped to two lines.
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              role="checkbox"
              aria-checked={selection.selected}
              onClick={selection.toggle}
              className={cx('line-clamp-2 text-left text-pretty wrap-anywhere', wholeCardLook)}
            >
              {product.title}
            </button>
          ) : (
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
          )}
        </Heading>
        <p className="mt-1 line-clamp-2 text-13 text-pretty wrap-anywhere text-ink-2">
          {product.summary ?? 'No description provided'}
        </p>
        <ProductTags tags={product.tags} limit={cardTags} className="mt-3" />
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
            {/* Above the button that covers the card. */}
            {product.request.path.hasReceipt ? (
              <p className="relative z-1 mt-1 w-fit">
                <HowDrawn request={product.request.id} className="text-12" />
              </p>
            ) : null}
          </div>
        ) : null}
        {selection ? null : (
          <div className="relative z-1 mt-3 flex items-center gap-1.5">
            <div className="min-w-0 flex-1">
              <MainAction product={product} onOpen={onOpen} />
            </div>
            <ProductMenu product={product} onOpen={onOpen} arrange={arrange} />
          </div>
        )}
        {!selection && isWaiting(product) ? (
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => onOpen('waiting')}
            className={
              'relative z-1 mt-2 self-start rounded-4 py-1 text-13 font-medium text-accent-ink ' +
              'underline decoration-accent-line underline-offset-3 hover:decoration-current'
            }
          >
            Why am I waiting?
          </button>
        ) : null}
      </div>
    </article>
  )
}

/** Drawn over the picture; the title is the control. */
function Tick({ selected }: { selected: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'absolute top-3 left-3 flex size-6 items-center justify-center rounded-6 border',
        selected ? 'border-accent bg-accent text-on-accent' : 'border-line-strong bg-surface',
      )}
    >
      {selected ? <Check size={16} strokeWidth={3} /> : null}
    </span>
  )
}

function MainAction({ product, onOpen }: Pick<ProductCardProps, 'product' | 'onOpen'>) {
  const { restore, restoring } = useProductActions(product)
  const state = requestState(product)
  if (!product.archived || state === 'in_review' || state === 'completed')
    return <RequestButton product={product} wide />
  return (
    <Button
      wide
      busy={restoring}
      onClick={() => void restore().catch((error: unknown) => explainRestore(error, onOpen))}
    >
      Restore
    </Button>
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
