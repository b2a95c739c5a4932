// Reviews of the simulated club, from the purchase to the verification.
import { purchaseHours, reviewHours } from '#contract/matching-rules.ts'
import { minimumUseMinutes } from '#contract/reviews.ts'
import type { CastMember } from './cast.ts'
import { hour } from './past.ts'
import type { PastRequest, PastReview, Steps } from './past.ts'
import type { SeedProduct } from './products.ts'
import { between, found, settle } from './simulated-club.ts'
import type { Club } from './simulated-club.ts'
import { later } from './timeline.ts'

export function stepsFrom(
  club: Club,
  at: number,
  { category }: SeedProduct,
  { temperament }: CastMember,
): Steps {
  const pace = { keen: 0.5, regular: 1, casual: 1.3, quiet: 1.5 }[temperament]
  const purchasedAt = at + Math.min(pace * between(club, 0.3 * hour, 40 * hour), (purchaseHours - 1) * hour)
  const usable = purchasedAt + (minimumUseMinutes[category] ?? 10)
  const submittedAt = Math.min(usable + pace * between(club, hour, 50 * hour), at + (reviewHours - 4) * hour)
  const chance = club.random()
  if (chance < 0.14)
    return {
      acceptedAt: at,
      purchasedAt,
      submittedAt,
      verifiedAt: submittedAt + 72 * hour + 1,
      verifiedBy: 'time',
    }
  const verifiedAt = submittedAt + between(club, 0.5 * hour, 34 * hour)
  return {
    acceptedAt: at,
    purchasedAt,
    submittedAt,
    verifiedAt,
    verifiedBy: chance < 0.18 ? 'staff' : 'seller',
  }
}

export function buy(club: Club, request: PastRequest, review: PastReview, at: number, steps: Partial<Steps>) {
  later(club.timeline, at, () => {
    const usableFrom = at + (minimumUseMinutes[request.product.category] ?? 10)
    Object.assign(review, { status: 'purchased', purchasedAt: at, usableFrom })
    if (steps.submittedAt === undefined) return
    const submittedAt = Math.max(steps.submittedAt, usableFrom + 5)
    later(club.timeline, submittedAt, () => submit(club, request, review, submittedAt, steps))
  })
}

function submit(club: Club, request: PastRequest, review: PastReview, at: number, steps: Partial<Steps>) {
  const text = found(club.texts.get(request.product.slug)?.shift())
  Object.assign(review, { status: 'reviewed', submittedAt: at, text, draft: null })
  const { verifiedAt, verifiedBy = 'seller' } = steps
  if (verifiedAt === undefined) return
  later(club.timeline, verifiedAt, () => {
    Object.assign(review, { status: 'verified', verifiedAt, verifiedBy })
    Object.assign(request, { status: 'completed', closedAt: null })
    settle(club, request, review, 1)
  })
}
