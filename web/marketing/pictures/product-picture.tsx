import { cx } from '#web/kit/ui/cx.ts'
import { pictureFile, productPictures, schemes } from './product-pictures.ts'
import type { PictureName } from './product-pictures.ts'

type Props = { name: PictureName; phone?: PictureName; className?: string }
type Scheme = (typeof schemes)[number]

/**
 * A picture of the product in the reader's color scheme. Both are in the page; a browser loads only the one
 * that is shown. Its place is kept, so nothing shifts. `phone` is shown instead on narrow screens.
 */
export function ProductPicture(props: Props) {
  return schemes.map((scheme) => (
    <span key={scheme} className={`only-${scheme}`}>
      <Picture {...props} scheme={scheme} />
    </span>
  ))
}

/** The same for the first picture of a page. The system's scheme loads at once; a chosen one, when shown. */
export function FirstPicture(props: Props) {
  return (
    <>
      <span className="only-system">
        <Picture {...props} scheme="light" followsSystem />
      </span>
      <span className="only-chosen">
        <ProductPicture {...props} />
      </span>
    </>
  )
}

type PictureProps = Props & { scheme: Scheme; followsSystem?: boolean }

function Picture({ name, phone, className, scheme, followsSystem = false }: PictureProps) {
  const { width, height, alt } = productPictures[name]
  return (
    <picture>
      {phone && followsSystem ? (
        <Source name={phone} scheme="dark" media={`${narrow} and (prefers-color-scheme: dark)`} />
      ) : null}
      {phone ? <Source name={phone} scheme={scheme} media={narrow} /> : null}
      {followsSystem ? <Source name={name} scheme="dark" media="(prefers-color-scheme: dark)" /> : null}
      <img
        src={pictureFile(name, scheme)}
        width={width}
        height={height}
        alt={alt}
        loading={followsSystem ? 'eager' : 'lazy'}
        decoding="async"
        className={cx('h-auto w-full object-contain', className)}
      />
    </picture>
  )
}

const narrow = '(width < 40rem)'

function Source({ name, scheme, media }: { name: PictureName; scheme: Scheme; media: string }) {
  const { width, height } = productPictures[name]
  return <source media={media} srcSet={pictureFile(name, scheme)} width={width} height={height} />
}
