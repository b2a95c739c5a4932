import { useState } from 'react'
import type { ImageFocus } from '#contract/products.ts'
import { CategoryPlaceholder } from '#web/kit/ui/category-placeholder.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { paths } from '#web/paths.ts'

type ProductImageProps = {
  imageId: string | null
  category: string
  /** The width on the page, as the `sizes` of an image. */
  sizes: string
  /** Loads at once instead of when it scrolls into view. For the main picture of a page. */
  eager?: boolean
  /** The point that stays visible when it is cropped. */
  focus?: ImageFocus
  className?: string
}

/**
 * A product's picture in a fitting width, or a placeholder for its category. Decorative: its title is beside
 * it.
 */
export function ProductImage({
  imageId,
  category,
  sizes,
  eager = false,
  focus,
  className,
}: ProductImageProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!imageId || broken === imageId) return <CategoryPlaceholder category={category} className={className} />
  const widths = [320, 640, 1280] as const
  return (
    <img
      src={paths.image(imageId, 640)}
      srcSet={widths.map((width) => `${paths.image(imageId, width)} ${width}w`).join(', ')}
      sizes={sizes}
      alt=""
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setBroken(imageId)}
      style={focus ? { objectPosition: `${focus.x}% ${focus.y}%` } : undefined}
      className={cx('bg-sunken object-cover', className)}
    />
  )
}
