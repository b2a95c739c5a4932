import { Ban, Ellipsis } from 'lucide-react'
import { useId, useState } from 'react'
import { trendingDays } from '#contract/discover.ts'
import type { LiveProduct, TrendingProduct } from '#contract/discover.ts'
import { Badge } from '#web/kit/ui/badge.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { IconButton } from '#web/kit/ui/icon-button.tsx'
import { Menu } from '#web/kit/ui/menu.tsx'
import { Price } from '../price.tsx'
import { wholeCardLook } from '../product-card.tsx'
import { ProductImage } from '../product-image.tsx'
import { cardTags, ProductTags } from '../product-tags.tsx'
import { NotForMeDialog, notForMeItems } from './not-for-me.tsx'
import type { Mark } from './not-for-me.tsx'

type LiveProductCardProps = {
  product: LiveProduct | TrendingProduct
  /** Its place among the trending ones, from 1. */
  rank?: number
  onOpen: () => void
  onTag: (tag: string) => void
}

/** A product of the club. The whole card opens it, except its tags and its menu. */
export function LiveProductCard({ product, rank, onOpen, onTag }: LiveProductCardProps) {
  const titleId = useId()
  const [marking, setMarking] = useState<Mark | null>(null)
  const exchanges = 'exchanges' in product ? product.exchanges : null
  return (
    <article
      aria-labelledby={titleId}
      className={
        'relative flex h-full flex-col overflow-hidden rounded-12 border border-line bg-surface ' +
        'transition-colors hover:border-line-strong'
      }
    >
      <ProductImage
        imageId={product.imageId}
        focus={product.imageFocus}
        category={product.category}
        sizes="(width < 40rem) 100vw, 300px"
        className={cx('aspect-4/3 w-full border-b border-line', product.unwanted && 'opacity-60')}
      />
      {rank === undefined ? null : (
        <p
          className={
            'tabular absolute top-3 right-3 rounded-full border border-line bg-surface px-2.5 py-0.5 ' +
            'text-13 font-semibold text-ink'
          }
        >
          <span className="sr-only">Number </span>
          {rank}
        </p>
      )}
      <div className="flex flex-1 flex-col p-4">
        <div className="flex items-center justify-between gap-3">
          <CategoryBadge category={product.category} className="shrink" />
          <p className="shrink-0 text-14 font-semibold text-ink">
            <Price cents={product.priceCents} />
          </p>
        </div>
        <h2 id={titleId} className="mt-3 text-14 font-semibold text-ink">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={onOpen}
            className={cx('line-clamp-2 text-left text-pretty wrap-anywhere', wholeCardLook)}
          >
            {product.title}
          </button>
        </h2>
        <p className="mt-1 line-clamp-2 text-13 text-pretty wrap-anywhere text-ink-2">
          {product.summary ?? 'No description provided'}
        </p>
        {exchanges === null ? null : (
          <p className="mt-2 text-13 text-ink-2">
            {exchanges} exchanges in {trendingDays} days
          </p>
        )}
        <div className="mt-auto flex items-end gap-2 pt-3">
          <ProductTags tags={product.tags} limit={cardTags} onTag={onTag} className="relative z-1" />
          {product.mine ? (
            <span className="ml-auto">
              <Badge>Yours</Badge>
            </span>
          ) : (
            <div className="relative z-1 -mr-1.5 -mb-1.5 ml-auto">
              <Menu
                trigger={<IconButton quiet label={`More about ${product.title}`} icon={<Ellipsis />} />}
                items={notForMeItems(product, setMarking)}
              />
            </div>
          )}
        </div>
        {product.unwanted ? (
          <p className="mt-2 flex items-center gap-1.5 text-12 text-ink-2">
            <Ban size={14} aria-hidden="true" className="shrink-0" />
            {product.unwanted.of === 'product' ? 'Not offered to you' : 'Category not offered to you'}
          </p>
        ) : null}
      </div>
      <NotForMeDialog mark={marking} onClose={() => setMarking(null)} />
    </article>
  )
}
