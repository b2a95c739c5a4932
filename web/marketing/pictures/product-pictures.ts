// The pictures of the product on the public pages. `npm run shots -- --pictures` takes each from the demo
// club, light and dark, and writes it to web/public/pictures.

type Size = { width: number; height: number }
/** Its size on the page in CSS pixels; the file has twice as many. `alt` says what it shows. */
type ProductPicture = Size & { alt: string }

export const productPictures = {
  'review-received': {
    width: 1120,
    height: 640,
    alt:
      'A member reads the review of a product. It opens with the disclosure, has three of five stars and ' +
      'says what works and what doesn’t. Below are two answers: ' +
      'what the reviewer used it for, and who should not buy it.',
  },
  'review-received-phone': { width: 390, height: 620, alt: '' },
  connect: {
    width: 390,
    height: 360,
    alt: 'The form to connect a product, filled in. The coupon link is marked as a verified link.',
  },
  offer: {
    width: 390,
    height: 360,
    alt: 'An offer: a product drawn at random, with what it asks of the reviewer.',
  },
  balance: {
    width: 390,
    height: 360,
    alt: 'A balance: reviews given on one side, received on the other.',
  },
} satisfies Record<string, ProductPicture>

export type PictureName = keyof typeof productPictures
export const schemes = ['light', 'dark'] as const

export const pictureFile = (name: PictureName, scheme: (typeof schemes)[number]) =>
  `/pictures/${name}.${scheme}.webp`
