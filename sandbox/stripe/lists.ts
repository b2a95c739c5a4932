import type Stripe from 'stripe'
import { refuse } from './fault.ts'

export type Page = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
}

/** One page of `all`, which come in the order of their making; a page is newest first. */
export function pageOf<Item extends { id: string }>(
  all: Item[],
  page: Page,
  url: string,
): Stripe.ApiList<Item> {
  const items = all.toReversed()
  const limit = page.limit ?? 10
  if (page.ending_before !== undefined) {
    const before = items.slice(0, indexOf(items, page.ending_before, 'ending_before'))
    return { object: 'list', data: before.slice(-limit), has_more: before.length > limit, url }
  }
  const from =
    page.starting_after === undefined ? 0 : indexOf(items, page.starting_after, 'starting_after') + 1
  const rest = items.slice(from)
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url }
}

function indexOf(items: { id: string }[], id: string, param: string) {
  const index = items.findIndex((each) => each.id === id)
  if (index < 0) throw refuse(`No such object: '${id}'`, { code: 'resource_missing', param })
  return index
}
