// Why an automatic check flagged something, in words: what was compared, the values, and the limit.
import { brokenReports } from '#contract/matching-rules.ts'
import type { FlagKind } from '#contract/staff/flags.ts'

/** The values that a check compared, as it kept them. */
export type FlagFacts = Record<string, number>

/** One or two sentences for our staff. They name no one. */
export function whyFlagged(kind: FlagKind, facts: FlagFacts): string {
  return sentences[kind]((name) => facts[name] ?? 0)
}

type Value = (name: string) => number

const percent = (share: number) => `${Math.round(share * 100)}%`

const sentences: Record<FlagKind, (value: Value) => string> = {
  similar_text: (value) =>
    `Version ${value('version')} of this review has ${percent(value('share'))} of its letter groups in ` +
    `common with ${value('ofListing') ? 'the text of the listing' : 'another review'}. ` +
    `Texts are flagged from ${percent(value('limit'))}.`,
  quick_use: (value) =>
    `The review was submitted ${minutes(value('usedSeconds'))} after the purchase. The minimum time of ` +
    `use was ${minutes(value('minimumSeconds'))}; ` +
    `reviews below ${minutes(value('limitSeconds'))} are flagged.`,
  similar_proof: (value) =>
    `The pictures of two proofs differ in ${value('bitsApart')} of 992 points. ` +
    `Pictures are flagged up to ${value('limit')}.`,
  ring: (value) =>
    `${value('members')} members reviewed each other in a circle, with ${value('reviews')} reviews in ` +
    `${value('days')} days. Chance explains ${formatShare(value('byChance'))} such circles in the whole ` +
    `club; they are flagged below ${value('limit')}.`,
  listing_claim: (value) =>
    `A member tried to connect a listing that another member sells, ` +
    `${value('attempts') === 1 ? 'once' : `${value('attempts')} times`}. ` +
    `The first attempt is flagged.`,
  broken_listing: (value) =>
    `${value('members')} members who were offered this product said that its listing is broken. ` +
    `From ${brokenReports.members} members in ${brokenReports.days} days, it leaves the rotation until its ` +
    `seller brings it back.`,
}

function minutes(seconds: number) {
  const whole = Math.floor(seconds / 60)
  const hours = Math.floor(whole / 60)
  if (hours > 0) return `${hours} h ${whole % 60} min`
  return `${whole} min ${Math.round(seconds % 60)} s`
}

function formatShare(value: number) {
  return value < 0.0001 ? 'fewer than 0.0001' : String(Number(value.toPrecision(2)))
}
