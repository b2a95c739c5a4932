import { cx } from '#web/kit/ui/cx.ts'
import { pictureFile, productPictures, schemes } from './product-pictures.ts'
import type { PictureName } from './product-pictures.ts'

type Props = { name: PictureName; phone?: PictureName; className?: string }

/**
 * A picture of the product in the reader's color scheme. Both are in the page; a browser loads only the one
 * that is shown. Its place is kept, so nothing shifts. `phone` is shown instead on narrow screens.
 */
export function ProductPicture({ name, phone, className }: Props) {
  const { width, height, alt } = productPictures[name]
  return schemes.map((scheme) => (
    <picture key={scheme} className={`only-${scheme}`}>
      {phone ? (
        <source
          media="(width < 40rem)"
          srcSet={pictureFile(phone, scheme)}
          width={productPictures[phone].width}
          height={productPictures[phone].height}
        />
      ) : null}
      <img
        src={pictureFile(name, scheme)}
        width={width}
        height={height}
        alt={alt}
        loading="lazy"
        decoding="async"
        className={cx('h-auto w-full', className)}
      />
    </picture>
  ))
}
