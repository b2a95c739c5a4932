import { z } from 'zod'
import { hasForm } from './forms.ts'
import { call, cents, done, id, line, page, pageOf, prose, refusing, time } from './kit.ts'

/** How many products of one member may be in the rotation at a time; saved ones are unlimited. */
export const liveProductsLimit = 10
/** Days for which a listing is kept for a seller who never had a membership. */
export const keptUnpaidDays = 7
export const tagsLimit = 10
export const couponLinkLength = 2048
/** How many products one press may archive or put back. */
export const productsAtOnce = 100
/** The longest text of a card, without markup. */
export const summaryLength = 200
/** The longest address of a shop, in characters. */
const pageAddressLength = 300
/** The largest product image that may be uploaded, in bytes. */
export const imageBytesLimit = 2_097_151

export const categoryNames = {
  template: 'Template',
  tool: 'Tool',
  design: 'Design',
  guide: 'Guide / eBook',
  course: 'Course / Training',
  audio: 'Audio / Music',
  video: 'Video / Animation',
  other: 'Other',
} as const
export type Category = keyof typeof categoryNames
export const categories = Object.keys(categoryNames) as Category[]
export const category = z.enum(categories)

/** The file formats that a seller may state, so that members who cannot use one are not asked. */
export const formatNames = {
  pdf: 'PDF',
  epub: 'EPUB or Kindle',
  document: 'Word or Google Docs',
  spreadsheet: 'Excel or Google Sheets',
  slides: 'PowerPoint or Google Slides',
  notion: 'Notion',
  canva: 'Canva',
  figma: 'Figma',
  photoshop: 'Photoshop',
  illustrator: 'Illustrator',
  procreate: 'Procreate',
  image: 'Image files',
  font: 'Font files',
  cutting: '3D or cutting files',
  software: 'Software or plugin',
  online: 'Online access',
  audio: 'Audio files',
  video: 'Video files',
} as const
export type ProductFormat = keyof typeof formatNames
export const productFormats = Object.keys(formatNames) as ProductFormat[]
export const productFormat = z.enum(productFormats)

export const productRefusals = {
  NAME_REQUIRED: { status: 400, title: 'Product name required', message: 'Please enter a product name' },
  CATEGORY_REQUIRED: { status: 400, title: 'Category required', message: 'Please select a product category' },
  INVALID_LINK: {
    status: 400,
    title: 'Invalid marketplace link',
    message: 'Please enter a valid marketplace coupon link',
  },
  DUPLICATE_PRODUCT: {
    status: 409,
    title: 'Duplicate product',
    message: 'This coupon link is already connected',
  },
  LISTING_REMOVED: {
    status: 409,
    title: 'Listing taken out',
    message: 'Our staff took this listing out of the exchange. The decision is on your Reports page.',
  },
  LISTING_NOT_YOURS: {
    status: 409,
    title: 'Not your listing',
    message: 'Our staff found that this listing isn’t yours to sell. The decision is on your Reports page.',
  },
  LISTING_TAKEN: {
    status: 409,
    title: 'Listing already connected',
    message:
      'Another member has connected this listing. Our staff will look into it; ' +
      'if it’s yours, write to Support.',
  },
  CONSENT_REQUIRED: {
    status: 409,
    title: 'Please read the marketplace notice',
    message: 'Confirm that you have read what the marketplace says about exchanged reviews.',
  },
  MARKETPLACE_CLOSED: {
    status: 409,
    title: 'Marketplace closed',
    message: 'New products of this marketplace can’t be connected right now.',
  },
  TOO_MANY_LIVE: {
    status: 409,
    message:
      `You can have ${liveProductsLimit} products in the rotation at a time. ` +
      'Archive one to add another.',
  },
  DESCRIPTION_LINK: {
    status: 400,
    message: 'Leave out links and addresses. Members get the coupon link from us.',
  },
  DESCRIPTION_HTML: { status: 400, message: 'Leave out HTML. You can use Markdown instead.' },
  COUPON_PRICE: {
    status: 400,
    message: 'Choose one of the marketplace’s coupon prices.',
  },
  NO_PICTURE: { status: 409, message: 'This product has no picture yet.' },
  FIXED_IN_REVIEW: { status: 409, message: 'You can change this once the review is done.' },
  IN_REVIEW: {
    status: 409,
    message: 'A member is reviewing this product. Archive it instead; the review continues.',
  },
  UNSUPPORTED_IMAGE: { status: 415, message: 'Please choose a JPG or PNG image.' },
  IMAGE_TOO_LARGE: { status: 413, message: 'Please choose an image under 2 MB.' },
  UNREADABLE_IMAGE: { status: 400, message: 'This image could not be read. Please choose another one.' },
}

export const lane = z.enum(['public', 'private', 'closed'])
export type Lane = z.infer<typeof lane>

/** A marketplace on the operator's list. Products can be connected only to these. */
export const marketplace = z.object({
  id,
  name: z.string(),
  host: z.string(),
  lane,
  policyUrl: z.string(),
  policySentence: z.string(),
  policyVersion: z.int(),
  couponPrices: z.array(z.int()),
  verifiedPurchaseWord: z.string(),
  disclosure: z.string(),
  consented: z.boolean(),
  /**
   * How the addresses of its listings are read: paths with `{id}` and `{title}`, the form of the id, the
   * parameter with the coupon, and the forms of its value. Links are written by the first path.
   */
  listingPaths: z.array(z.string()),
  listingIdForm: z.string(),
  couponParameter: z.string(),
  couponForms: z.array(z.string()),
})
/** The defaults of a marketplace: coupon prices in cents, and the disclosure. */
export const usualCouponPrices = [0, 50] as const
export const usualDisclosure =
  'I belong to a review exchange and bought this with a discount code; my opinion is my own.'

export type Marketplace = z.infer<typeof marketplace>

/** What an entry of the marketplaces says about the addresses of its listings. */
export type ListingAddress = {
  host: string
  listingPaths: readonly string[]
  listingIdForm: string
  couponParameter: string
  couponForms: readonly string[]
}

export type CouponLink<M extends ListingAddress = ListingAddress> = {
  /** The link as it is kept: the listing's address and the coupon, and nothing else of what was typed. */
  link: string
  /** The listing's id on the marketplace, the same for every spelling of its address. */
  listing: string
  coupon: string
  marketplace: M
}

/**
 * Reads a coupon link: the address of a listing on one of these marketplaces, as the entry describes it, with
 * exactly one coupon. Null for any other text.
 */
export function readCouponLink<M extends ListingAddress>(
  text: string,
  marketplaces: readonly M[],
): CouponLink<M> | null {
  const read = explainCouponLink(text, marketplaces)
  return 'fault' in read ? null : read
}

/** Why a text is no coupon link, for our staff. `marketplace` is the one whose host it has. */
export type LinkFault<M> = { fault: keyof typeof linkFaults; marketplace: M | null }
export const linkFaults = {
  link: 'This is no plain https link.',
  host: 'No marketplace on the list has this host.',
  path: 'The path fits none of the listing paths, or the id has another form.',
  coupon: 'The coupon parameter is missing, or there more than once.',
  couponForm: 'The coupon has none of the forms.',
} as const

/** Reads a coupon link as `readCouponLink` does, and says what is wrong with any other text. */
export function explainCouponLink<M extends ListingAddress>(
  text: string,
  marketplaces: readonly M[],
): CouponLink<M> | LinkFault<M> {
  const url = readWebLink(text)
  if (!url) return { fault: 'link', marketplace: null }
  const marketplace = findByHost(url.hostname, marketplaces)
  if (!marketplace) return { fault: 'host', marketplace: null }
  const id = readListingId(url.pathname, marketplace)
  if (!id) return { fault: 'path', marketplace }
  const { couponParameter, couponForms, listingPaths } = marketplace
  const [coupon, ...others] = url.searchParams.getAll(couponParameter)
  if (coupon === undefined || others.length > 0) return { fault: 'coupon', marketplace }
  if (!couponForms.some((form) => hasForm(coupon, form))) return { fault: 'couponForm', marketplace }
  const path = listingPaths[0]?.replace('{id}', id) ?? ''
  return {
    link: `https://${url.hostname}${path}?${couponParameter}=${coupon}`,
    listing: id.toLowerCase(),
    coupon,
    marketplace,
  }
}

/** What a member reads about a link that names no listing: the names are those of the open marketplaces. */
export function invalidLinkWords(names: readonly string[]) {
  const wanted = new Intl.ListFormat('en', { type: 'disjunction' }).format(names) || 'marketplace'
  const { message } = productRefusals.INVALID_LINK
  return { title: `Invalid ${wanted} link`, reason: message.replace('marketplace', () => wanted) }
}

/** Reads a link to any page of a marketplace with one of these hosts. Null for any other text. */
export function readMarketplaceLink(text: string, hosts: readonly string[]): { link: string } | null {
  const url = readWebLink(text)
  const place =
    url &&
    findByHost(
      url.hostname,
      hosts.map((host) => ({ host })),
    )
  return place ? { link: url.href } : null
}

/**
 * Reads the address of a shop or a listing, with or without `https://`: the id of the listing, or null for
 * another page, and an address that is the same for every spelling. Null for any other text, and for the
 * marketplace's own first page.
 */
export function readMarketplacePage<M extends ListingAddress>(
  text: string,
  marketplaces: readonly M[],
): { marketplace: M; listing: string | null; address: string } | null {
  const typed = text.trim()
  const url = readWebLink(typed.includes('://') ? typed : `https://${typed}`)
  const marketplace = url && findByHost(url.hostname, marketplaces)
  if (!url || !marketplace) return null
  const host = url.hostname.replace(/^www\./, '')
  const path = url.pathname.split('/').filter(Boolean).join('/')
  const address = (path ? `${host}/${path}` : host).toLowerCase()
  if (address === marketplace.host || address.length > pageAddressLength) return null
  return { marketplace, listing: readListingId(url.pathname, marketplace)?.toLowerCase() ?? null, address }
}

/** A link with https, no user, no port other than the usual one, and at most 2,048 characters. */
function readWebLink(text: string): URL | null {
  const trimmed = text.trim()
  if (
    trimmed.length > couponLinkLength ||
    !/^https:\/\/[\x21-\x7e]+$/i.test(trimmed) ||
    /%00/.test(trimmed) ||
    trimmed.includes('\\') ||
    !URL.canParse(trimmed)
  )
    return null
  const url = new URL(trimmed)
  const isPlain = url.protocol === 'https:' && !url.username && !url.password && !url.port
  return isPlain ? url : null
}

/** The marketplace of a host or of its sub-domain; the longest host wins. */
function findByHost<P extends { host: string }>(name: string, places: readonly P[]): P | undefined {
  return places
    .toSorted((one, other) => other.host.length - one.host.length)
    .find(({ host }) => name === host || name.endsWith(`.${host}`))
}

/** The id in a listing's path, a number without leading zeros. Null when no path of the entry fits. */
function readListingId(pathname: string, { listingPaths, listingIdForm }: ListingAddress): string | null {
  const segments = segmentsOf(pathname)
  for (const path of segments ? listingPaths : []) {
    const wanted = path.split('/').filter(Boolean)
    const fits =
      wanted.length === segments?.length &&
      wanted.every(
        (part, at) => part === '{id}' || part === '{title}' || part === segments[at]?.toLowerCase(),
      )
    const id = segments?.[wanted.indexOf('{id}')]
    if (fits && id && hasForm(id, listingIdForm)) return id.replace(/^0+(?=\d+$)/, '')
  }
  return null
}

/** The decoded parts of a path, without empty ones; null when one cannot be decoded. */
function segmentsOf(pathname: string): string[] | null {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return null
  }
}

/** A coupon link for logs: host and path, with the query hidden. */
export function maskCouponLink(text: string) {
  if (!URL.canParse(text)) return '(not a link)'
  const url = new URL(text)
  return `${url.protocol}//${url.host}${url.pathname}${url.search ? '?…' : ''}`.slice(0, 300)
}

export const requestStatus = z.enum([
  'queued',
  'offered',
  'in_review',
  'completed',
  'cancelled',
  'lapsed',
  'held',
])
export type RequestStatus = z.infer<typeof requestStatus>

/**
 * The path of an exchange, from the draw to the verified review. Each step has its moment, in whole minutes,
 * or null while it is ahead. It says nothing about the reviewer.
 */
export const exchangePath = z.object({
  drawnAt: time,
  /** Whether its draw can be checked: staff arranged no draw, nor did the demo’s made-up past. */
  hasReceipt: z.boolean(),
  acceptedAt: time.nullable(),
  boughtAt: time.nullable(),
  writtenAt: time.nullable(),
  verifiedAt: time.nullable(),
  /** The deadline of the next step of an accepted exchange. */
  dueAt: time.nullable(),
})
export type ExchangePath = z.infer<typeof exchangePath>

/** The point of a picture that stays visible when it is cropped, in percent from the left and the top. */
export const imageFocus = z.object({ x: z.int().min(0).max(100), y: z.int().min(0).max(100) })
export type ImageFocus = z.infer<typeof imageFocus>

export const productCard = z.object({
  id,
  title: z.string(),
  category,
  format: productFormat.nullable(),
  /** In Markdown, without links and HTML. */
  description: z.string().nullable(),
  /** The beginning of the description as plain text. */
  summary: z.string().nullable(),
  tags: z.array(z.string()),
  priceCents: cents.nullable(),
  /** The price with the coupon; null when the seller has not stated it. */
  couponCents: cents.nullable(),
  couponLink: z.string(),
  marketplaceName: z.string(),
  imageId: id.nullable(),
  imageFocus,
  author: z.string(),
  /** Whether at least one of its reviews was verified with proof of purchase. */
  verified: z.boolean(),
  rating: z.number().nullable(),
  reviews: z.int(),
  downloads: z.int(),
  views: z.int(),
  archived: z.boolean(),
  createdAt: time,
  /** Its newest request, if any. */
  request: z
    .object({
      id,
      status: requestStatus,
      createdAt: time,
      completedReviewId: id.nullable(),
      /** Its exchange, once a member was drawn; null again when the member does not accept. */
      path: exchangePath.nullable(),
    })
    .nullable(),
  /** Its completed reviews in the last 90 days, of the most that the club allows. */
  exposure: z.object({ reviews: z.int(), of: z.int() }),
  /** Why Get Reviewed is not possible now, and when that ends; null when it is possible. */
  askRefusal: z
    .object({
      code: z.string(),
      message: z.string(),
      at: time.nullable(),
      /** Whether I am notified when I can ask. */
      alert: z.boolean(),
    })
    .nullable(),
})
export type ProductCard = z.infer<typeof productCard>

/**
 * A request of one of my products and the review that came of it. Days instead of moments for what the
 * reviewer did, and nothing about who it was.
 */
export const productExchange = z.object({
  id,
  status: requestStatus,
  requestedAt: time,
  /** The day on which the request ended, in UTC. */
  endedOn: z.iso.date().nullable(),
  /** Whether there is a draw of it to check. */
  hasReceipt: z.boolean(),
  /** The review, once there is one to open. */
  reviewId: id.nullable(),
})
export type ProductExchange = z.infer<typeof productExchange>

const title = z.string().max(140)
const productFields = {
  title: title.optional(),
  category: z.string().max(40).optional(),
  format: productFormat.nullable().optional(),
  couponLink: z.string().max(4096).optional(),
  priceCents: cents.nullable().optional(),
  couponCents: cents.nullable().optional(),
  description: prose(5000).nullable().optional(),
  tags: z.array(line(40, 1)).max(tagsLimit).optional(),
}

const several = z.strictObject({ ids: z.array(id).min(1).max(productsAtOnce) })

export const imageUpload = z.strictObject({ id, file: z.instanceof(Blob) })

export const products = {
  listProducts: call
    .route({ method: 'GET', path: '/products', summary: 'My products in the rotation, in my own order' })
    .output(z.array(productCard)),
  listArchivedProducts: call
    .route({
      method: 'GET',
      path: '/archived-products',
      summary: 'My archived products, the latest archived first',
    })
    .input(pageOf)
    .output(page(productCard)),
  getProduct: call
    .route({ method: 'GET', path: '/products/{id}', summary: 'One of my products' })
    .input(z.strictObject({ id }))
    .output(productCard),
  addProduct: call
    .route({
      method: 'POST',
      path: '/products',
      summary: 'Connect a product by its coupon link',
      successStatus: 201,
    })
    .input(z.strictObject(productFields))
    .output(productCard)
    .errors(refusing(productRefusals)),
  editProduct: call
    .route({ method: 'PATCH', path: '/products/{id}', summary: 'Change a product' })
    .input(z.strictObject({ id, ...productFields }))
    .output(productCard)
    .errors(refusing(productRefusals)),
  archiveProduct: call
    .route({ method: 'POST', path: '/products/{id}/archive', summary: 'Take a product out of the rotation' })
    .input(z.strictObject({ id }))
    .output(productCard)
    .errors(refusing(productRefusals)),
  restoreProduct: call
    .route({
      method: 'POST',
      path: '/products/{id}/restore',
      summary: 'Put an archived product back into the rotation',
    })
    .input(z.strictObject({ id }))
    .output(productCard)
    .errors(refusing(productRefusals)),
  archiveProducts: call
    .route({ method: 'POST', path: '/products/archive', summary: 'Archive several products, all or none' })
    .input(several)
    .output(done)
    .errors(refusing(productRefusals)),
  restoreProducts: call
    .route({ method: 'POST', path: '/products/restore', summary: 'Restore several products, all or none' })
    .input(several)
    .output(done)
    .errors(refusing(productRefusals)),
  moveProduct: call
    .route({
      method: 'POST',
      path: '/products/{id}/move',
      summary: 'Put a product of the rotation behind another one, or in front of all',
    })
    .input(z.strictObject({ id, after: id.nullable() }))
    .output(done),
  listProductExchanges: call
    .route({
      method: 'GET',
      path: '/products/{id}/exchanges',
      summary: 'The requests and reviews of one of my products, newest first',
    })
    .input(z.strictObject({ id, ...pageOf.shape }))
    .output(page(productExchange)),
  setImageFocus: call
    .route({
      method: 'PUT',
      path: '/products/{id}/image/focus',
      summary: 'Choose the point of a picture that stays visible when it is cropped',
    })
    .input(z.strictObject({ id, ...imageFocus.shape }))
    .output(productCard)
    .errors(refusing(productRefusals)),
  deleteProduct: call
    .route({
      method: 'DELETE',
      path: '/products/{id}',
      summary: 'Delete a product; open requests are cancelled',
    })
    .input(z.strictObject({ id }))
    .output(done)
    .errors(refusing(productRefusals)),
  uploadProductImage: call
    .route({ method: 'POST', path: '/products/{id}/image', summary: 'Set the picture of a product' })
    .input(imageUpload)
    .output(productCard)
    .errors(refusing(productRefusals)),
  listMarketplaces: call
    .route({ method: 'GET', path: '/marketplaces', summary: 'The marketplaces products can be connected to' })
    .output(z.array(marketplace)),
  consentToMarketplace: call
    .route({
      method: 'POST',
      path: '/marketplaces/{id}/consent',
      summary: 'Confirm that I have read the notice of a marketplace',
    })
    .input(z.strictObject({ id, policyVersion: z.int() }))
    .output(done),
}
