// The published rules, made from the constants that the club runs on. Every figure comes from `published`; a sentence holds none of its own.
import { passwordLength, usernameLength } from '#contract/accounts.ts'
import * as matching from '#contract/matching.ts'
import {
  appealDays,
  membershipPriceCents,
  noticeDays,
  pauseLongestDays,
  refundDays,
} from '#contract/membership.ts'
import { exportLinkHours, exportsPerDay } from '#contract/privacy.ts'
import { liveProductsLimit, tagsLimit, usualCouponPrices } from '#contract/products.ts'
import { sessionLimits } from '#contract/retention.ts'
import * as reviews from '#contract/reviews.ts'
import { passkeysMost, usernameChangeDays, usernameReservedDays } from '#contract/settings.ts'
import { account, membership, products, reports } from './rules-club.ts'
import { asking, deadlines, declines, ledger, offers, proof, rotation, text } from './rules-exchange.ts'

/** One rule: its figure, what it is the figure of, and what it means in a sentence. */
export type Rule = { figure: string; name: string; sentence: string }
export type RuleGroup = { id: string; title: string; lead: string; rules: Rule[] }

/** The limits that members feel, each from the contract. */
export const published = {
  acceptLimits: matching.acceptLimits,
  activeBonusHours: matching.activeBonusHours,
  activeDays: matching.activeDays,
  appealDays,
  confirmHours: reviews.confirmHours,
  cooldownLadder: matching.cooldownLadder as readonly number[],
  creditLine: matching.creditLine,
  drawSpare: matching.drawSpare,
  duplicateSimilarity: reviews.duplicateSimilarity,
  escalationHours: matching.escalationHours,
  exportLinkHours,
  exportsPerDay,
  fewestCandidates: matching.fewestCandidates,
  givingCap: matching.givingCap,
  lastReminderHours: reviews.lastReminderHours,
  liveProductsLimit,
  membershipPriceCents,
  minimumUseMinutes: reviews.minimumUseMinutes,
  moderationHours: reviews.moderationHours,
  noticeDays,
  offerMinutes: matching.offerMinutes,
  pairWindow: matching.pairWindow,
  passkeysMost,
  passwordLength,
  pauseLongestDays,
  presence: { lastsSeconds: matching.presence.lastsSeconds },
  productExposure: matching.productExposure,
  proofBytesLimit: reviews.proofBytesLimit,
  proofKeptDays: reviews.proofKeptDays,
  proofQuota: reviews.proofQuota,
  purchaseHours: matching.purchaseHours,
  refundDays,
  relaxationHours: matching.relaxationHours,
  reminderHours: reviews.reminderHours as readonly number[],
  reofferHours: matching.reofferHours,
  returnHours: reviews.returnHours,
  reviewHours: matching.reviewHours,
  reviewLength: reviews.reviewLength,
  sessionLimits: { member: sessionLimits.member },
  slate: matching.slate,
  standbyHours: matching.standbyHours,
  strikes: matching.strikes,
  tagsLimit,
  usernameChangeDays,
  usernameLength,
  usernameReservedDays,
  usualCouponPrices: usualCouponPrices as readonly number[],
}
export type Limits = typeof published

/** Where on the page of rules the list of marketplaces stands. */
export const marketplaceList = 'marketplaces'

/** Every published rule, by what it is about. */
export function listRules(limits: Limits = published): RuleGroup[] {
  return [
    asking(limits),
    rotation(limits),
    offers(limits),
    declines(limits),
    deadlines(limits),
    text(limits),
    proof(limits),
    ledger(limits),
    reports(limits),
    products(limits),
    membership(limits),
    account(limits),
  ]
}
