import { explainCouponLink, invalidLinkWords, productRefusals, readCouponLink } from '#contract/products.ts'
import type { Category, LinkFault, Marketplace, ProductCard as Product } from '#contract/products.ts'

/** What is wrong with a product, at which field, and the message for it. */
export type ProductProblem = {
  code: 'NAME_REQUIRED' | 'CATEGORY_REQUIRED' | 'INVALID_LINK' | 'DUPLICATE_PRODUCT'
  field: 'title' | 'category' | 'couponLink'
  title: string
  message: string
  /** What the field says, where that is more than the message. */
  advice?: string
}

type Checked = { title: string; category: Category | null; couponLink: string }

/**
 * Runs the four checks of a product in order: name, category, link, duplicate. The server repeats them. The
 * last two are left to it while the marketplaces or the member's other products are unknown.
 */
export function findProblem(
  { title, category, couponLink }: Checked,
  marketplaces: readonly Marketplace[] | undefined,
  others: readonly Pick<Product, 'couponLink'>[],
): ProductProblem | null {
  if (title.trim() === '') return { code: 'NAME_REQUIRED', field: 'title', ...messageOf('NAME_REQUIRED') }
  if (!category) return { code: 'CATEGORY_REQUIRED', field: 'category', ...messageOf('CATEGORY_REQUIRED') }
  if (!marketplaces) return null
  const link = explainCouponLink(couponLink, marketplaces)
  if ('fault' in link) return invalidLink(couponLink, link, marketplaces)
  const taken = others.some((other) => isSameListing(other.couponLink, link.link, marketplaces))
  if (taken) return { code: 'DUPLICATE_PRODUCT', field: 'couponLink', ...messageOf('DUPLICATE_PRODUCT') }
  return null
}

/** Whether two coupon links name one listing. A text that is no coupon link names none. */
export function isSameListing(one: string, other: string, marketplaces: readonly Marketplace[]): boolean {
  const [first, second] = [readCouponLink(one, marketplaces), readCouponLink(other, marketplaces)]
  if (!first || !second) return false
  return first.listing === second.listing && first.marketplace.id === second.marketplace.id
}

/** The marketplace of a coupon link, or null when it is not one of a listed marketplace. */
export function findMarketplace(
  couponLink: string,
  marketplaces: readonly Marketplace[] | undefined,
): Marketplace | null {
  if (!marketplaces) return null
  return readCouponLink(couponLink, marketplaces)?.marketplace ?? null
}

function messageOf(code: 'NAME_REQUIRED' | 'CATEGORY_REQUIRED' | 'DUPLICATE_PRODUCT') {
  const { title, message } = productRefusals[code]
  return { title, message }
}

/** Names the open marketplaces, so that the member can see which links are accepted, and what is wrong. */
function invalidLink(
  text: string,
  { fault, marketplace }: LinkFault<Marketplace>,
  marketplaces: readonly Marketplace[],
): ProductProblem {
  const names = marketplaces.filter(({ lane }) => lane !== 'closed').map(({ name }) => name)
  const { title, reason } = invalidLinkWords(names)
  const place = marketplace?.name ?? new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
  const advice =
    fault === 'link' && /^\s*https:/i.test(text)
      ? 'This isn’t a whole link. Copy it from your browser’s address bar.'
      : faultAdvice[fault](place || 'an open marketplace', marketplace?.couponParameter ?? 'coupon')
  return { code: 'INVALID_LINK', field: 'couponLink', title, message: reason, advice }
}

const faultAdvice: Record<LinkFault<Marketplace>['fault'], (place: string, parameter: string) => string> = {
  link: () => 'Copy the whole link: it starts with https://.',
  host: (place) => `This link doesn’t lead to ${place}.`,
  path: (place) => `This link doesn’t lead to a listing on ${place}.`,
  coupon: (_, parameter) => `This link needs one coupon at its end: ?${parameter}= and your coupon’s code.`,
  couponForm: (place) => `The coupon in this link isn’t one of ${place}’s.`,
}
