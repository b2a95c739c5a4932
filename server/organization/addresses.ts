// Addresses of shops and listings, read as the register of the marketplaces describes them. They are compared
// and never fetched.
import { readMarketplacePage } from '#contract/products.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'

type Place = { marketplaceId: string; namedAs: string }
/** A page of a marketplace: a listing by its id, any other page by its address. */
type NamedPage = Place & ({ listing: string; address?: never } | { address: string; listing?: never })

/** Reads the address of a page on an open marketplace. Refuses SHOP_ADDRESS at the field, with the hosts. */
export async function readNamedPage(ctx: Ctx, text: string, field: string): Promise<NamedPage> {
  const open = await ctx.db
    .selectFrom('marketplaces')
    .select(['id', 'name', 'host', 'listingPaths', 'listingIdForm', 'couponParameter', 'couponForms'])
    .where('lane', '<>', 'closed')
    .orderBy('name')
    .execute()
  const read = readMarketplacePage(text, open)
  if (!read) throw refuse('SHOP_ADDRESS', { field, reason: wantedOf(open.map(({ host }) => host)) })
  const place = { marketplaceId: read.marketplace.id, namedAs: read.address }
  return read.listing === null ? { ...place, address: read.address } : { ...place, listing: read.listing }
}

function wantedOf(hosts: string[]): string {
  if (hosts.length === 0) return 'No marketplace is open right now.'
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(hosts)
  return `Enter the full address of a page on ${list}.`
}
