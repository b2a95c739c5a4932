import type { Hold } from '#contract/waiting.ts'

/** Where a request's seller and marketplace stand. */
export type HoldFacts = {
  status: string
  sellerStanding: 'in' | 'paused' | 'out'
  marketplaceClosed: boolean
  /**
   * Whether the request waits although its seller takes part, and whether their limit or their declaration is
   * why.
   */
  waits: boolean
  atLimit: boolean
  declared: boolean
}

/** What holds a waiting request back, so that no member is asked; null when the rules of the draw decide. */
export function heldBy({
  status,
  sellerStanding,
  marketplaceClosed,
  waits,
  atLimit,
  declared,
}: HoldFacts): Hold | null {
  if (marketplaceClosed) return 'marketplace_closed'
  if (status === 'queued' && !waits) return null
  if (status === 'queued' && atLimit) return 'seller_at_limit'
  if (status === 'queued' && declared) return 'taken_back'
  if (sellerStanding === 'in') return 'about_to_resume'
  return sellerStanding === 'paused' ? 'seller_paused' : 'seller_out'
}
