// The steps of a review by the product's functions, and contents that pass every check.
import { withDisclosure } from '#contract/review-text.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { proveByOrder } from '#server/reviews/proofs.ts'
import { submitReview } from '#server/reviews/reviews.ts'
import { disclosure } from '../disclosure.ts'

let orders = 1_000_000

export function prove(me: MemberCtx, reviewId: string) {
  orders += 1
  return proveByOrder(me, { id: reviewId, orderId: String(orders), paidCents: 50 })
}

let texts = 0

export function submit(me: MemberCtx, reviewId: string) {
  return submitReview(me, { id: reviewId, ...writeReview() })
}

/** A review that passes every check and is like no other. */
export function writeReview() {
  texts += 1
  const body = Array.from({ length: 44 }, (_, at) => wordOf(texts * 64 + at)).join(' ')
  return {
    rating: 3,
    text: withDisclosure(disclosure, body),
    usedFor: 'Planning the weeks of our household.',
    notFor: 'People who plan on the phone.',
    aiAssisted: false,
    attested: true,
    posted: true,
    postedLink: null,
  }
}

/** A word of six letters that differs from those of other numbers. */
function wordOf(number: number) {
  let rest = Math.imul(number, 0x9e3779b1) >>> 0
  let word = ''
  while (word.length < 6) {
    word += 'abcdefghijklmnopqrstuvwxyz'[rest % 26]
    rest = Math.floor(rest / 26)
  }
  return word
}
