import { useState } from 'react'
import { CategoryPlaceholder } from '#web/kit/ui/category-placeholder.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { paths } from '#web/paths.ts'

type ProductImageProps = {
  imageId: string | null
  category: string
  /** How wide it is drawn, as the `sizes` of an image. */
  sizes: string
  className?: string
}

/** A product's picture in the width that fits, or its category's drawing. Decoration: the title stands beside it. */
export function ProductImage({ imageId, category, sizes, className }: ProductImageProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!imageId || broken === imageId)
    return <CategoryPlaceholder category={category} className={cx('w-full', className)} />
  const widths = [320, 640, 1280] as const
  return (
    <img
      src={paths.image(imageId, 640)}
      srcSet={widths.map((width) => `${paths.image(imageId, width)} ${width}w`).join(', ')}
      sizes={sizes}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBroken(imageId)}
      className={cx('w-full bg-sunken object-cover', className)}
    />
  )
}
