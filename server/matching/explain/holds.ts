import type { Hold } from '#contract/waiting.ts'

/** Where a request's seller and marketplace stand. */
export type HoldFacts = {
  status: string
  sellerStanding: 'in' | 'paused' | 'out'
  marketplaceClosed: boolean
  /** Whether the request waits although its seller takes part. */
  waits: boolean
  /** Whether it waits since its seller received as much as a member may, or since they ended its offer. */
  atLimit: boolean
  tookBack: boolean
}

/** What holds a waiting request back, so that no member is asked; null when the rules of the draw decide. */
export function heldBy({
  status,
  sellerStanding,
  marketplaceClosed,
  waits,
  atLimit,
  tookBack,
}: HoldFacts): Hold | null {
  if (marketplaceClosed) return 'marketplace_closed'
  if (status === 'queued' && !waits) return null
  if (status === 'queued' && atLimit) return 'seller_at_limit'
  if (status === 'queued') return tookBack ? 'taken_back' : 'resumes_soon'
  if (sellerStanding === 'in') return 'about_to_resume'
  return sellerStanding === 'paused' ? 'seller_paused' : 'seller_out'
}
