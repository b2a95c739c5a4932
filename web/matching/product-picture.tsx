import { useState } from 'react'
import { CategoryPlaceholder } from '#web/kit/ui/category-placeholder.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { paths } from '#web/paths.ts'

type ProductPictureProps = {
  image: string | null
  category: string
  width: 320 | 640
  className?: string
}

/** A product's picture, or its category's drawing when there is none or it cannot be loaded. The title stands beside it. */
export function ProductPicture({ image, category, width, className }: ProductPictureProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!image || broken === image) return <CategoryPlaceholder category={category} className={className} />
  return (
    <img
      src={paths.image(image, width)}
      alt=""
      decoding="async"
      onError={() => setBroken(image)}
      className={cx('bg-sunken object-cover', className)}
    />
  )
}
