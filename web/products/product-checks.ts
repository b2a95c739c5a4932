import { productRefusals, readCouponLink } from '#contract/products.ts'
import type { Category, Marketplace, ProductCard as Product } from '#contract/products.ts'

/** What is wrong with a product, at which field, in the words people read. */
export type ProductProblem = {
  code: 'NAME_REQUIRED' | 'CATEGORY_REQUIRED' | 'INVALID_LINK' | 'DUPLICATE_PRODUCT'
  field: 'title' | 'category' | 'couponLink'
  title: string
  message: string
}

type Checked = { title: string; category: Category | null; couponLink: string }

/**
 * The four checks of a product, in their order: name, category, link, duplicate. The server makes the same ones again; the last two
 * are left to it where the marketplaces or the member's other products are not known.
 */
export function findProblem(
  { title, category, couponLink }: Checked,
  marketplaces: readonly Marketplace[] | undefined,
  others: readonly Pick<Product, 'couponLink'>[],
): ProductProblem | null {
  if (title.trim() === '') return { code: 'NAME_REQUIRED', field: 'title', ...words('NAME_REQUIRED') }
  if (!category) return { code: 'CATEGORY_REQUIRED', field: 'category', ...words('CATEGORY_REQUIRED') }
  if (!marketplaces) return null
  const link = readCouponLink(couponLink, hostsOf(marketplaces))
  if (!link) return { code: 'INVALID_LINK', field: 'couponLink', ...invalidLinkMessage(marketplaces) }
  const taken = others.some(
    (other) => readCouponLink(other.couponLink, hostsOf(marketplaces))?.key === link.key,
  )
  if (taken) return { code: 'DUPLICATE_PRODUCT', field: 'couponLink', ...words('DUPLICATE_PRODUCT') }
  return null
}

/** The marketplace of a coupon link, if it leads to one on the list. */
export function findMarketplace(
  couponLink: string,
  marketplaces: readonly Marketplace[] | undefined,
): Marketplace | null {
  if (!marketplaces) return null
  const host = readCouponLink(couponLink, hostsOf(marketplaces))?.host
  return marketplaces.find((marketplace) => marketplace.host === host) ?? null
}

// The most exact host first, should one listed host lie under another.
function hostsOf(marketplaces: readonly Marketplace[]): string[] {
  return marketplaces.map(({ host }) => host).toSorted((a, b) => b.length - a.length)
}

function words(code: 'NAME_REQUIRED' | 'CATEGORY_REQUIRED' | 'DUPLICATE_PRODUCT') {
  const { title, message } = productRefusals[code]
  return { title, message }
}

/** Names the marketplaces that are open, so that one knows what kind of link is wanted. */
function invalidLinkMessage(marketplaces: readonly Marketplace[]) {
  const names = marketplaces.filter(({ lane }) => lane !== 'closed').map(({ name }) => name)
  const wanted = new Intl.ListFormat('en', { type: 'disjunction' }).format(names) || 'marketplace'
  return {
    title: `Invalid ${wanted} link`,
    message: productRefusals.INVALID_LINK.message.replace('marketplace', () => wanted),
  }
}
