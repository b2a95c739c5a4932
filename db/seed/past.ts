// What a request, its offers and its review were in the demo club's past. Times are minutes before
// (negative) the moment of the seed.
import type { DeclineReason } from '#contract/matching-rules.ts'
import type { SeedProduct } from './products.ts'
import type { SeedReview } from './review-texts.ts'

type PastOffer = {
  reviewer: string
  offeredAt: number
  expiresAt: number
  respondedAt: number
  state: 'accepted' | 'declined' | 'expired'
  reason: DeclineReason | null
  /** The minutes of cooldown that a decline brought. */
  cooldown: number
}

export type PastReview = {
  reviewer: string
  status: 'pending' | 'purchased' | 'reviewed' | 'verified' | 'lapsed'
  acceptedAt: number
  purchasedAt: number | null
  usableFrom: number | null
  submittedAt: number | null
  verifiedAt: number | null
  verifiedBy: 'seller' | 'time' | 'staff' | null
  lapsedAt: number | null
  text: SeedReview | null
  draft: string | null
}

export type PastRequest = {
  product: SeedProduct
  status: 'queued' | 'in_review' | 'completed' | 'cancelled' | 'lapsed'
  createdAt: number
  /** Its place in the queue: a successor has that of the request that lapsed. */
  placeAt: number
  closedAt: number | null
  offers: PastOffer[]
  review: PastReview | null
  /** The lapsed request whose place and ticket this one took over. */
  follows: PastRequest | null
}

/** When each step of a review is taken. */
export type Steps = {
  acceptedAt: number
  purchasedAt: number
  submittedAt: number
  verifiedAt: number
  verifiedBy: 'seller' | 'time' | 'staff'
}

export const hour = 60
export const day = 24 * hour

/** An offer that its reviewer answered so many minutes after it was made. */
export function answered(
  reviewer: string,
  at: number,
  thinking: number,
  state: 'accepted' | 'declined',
  reason: DeclineReason | null,
): PastOffer {
  const offeredAt = at - thinking
  return { reviewer, offeredAt, expiresAt: offeredAt + 30, respondedAt: at, state, reason, cooldown: 0 }
}
