// The limits that members feel. The published rules take every figure from here.
import { passwordLength } from '#contract/accounts.ts'
import { usernameChangeDays, usernameLength, usernameReservedDays } from '#contract/members.ts'
import { passkeysMost } from '#contract/sign-in.ts'
import * as matching from '#contract/matching-rules.ts'
import {
  appealDays,
  graceDays,
  graceReminderDays,
  membershipPriceCents,
  noticeDays,
  pauseLongestDays,
  pauseEveryDays,
  refundDays,
} from '#contract/membership.ts'
import { reportDays, reportsPerDay } from '#contract/moderation.ts'
import { declarationEndDays, declarationLimits } from '#contract/organization.ts'
import { exportLinkHours, exportsPerDay } from '#contract/privacy.ts'
import { keptUnpaidDays, liveProductsLimit, tagsLimit, usualCouponPrices } from '#contract/products.ts'
import { retention, sessionLimits } from '#contract/retention.ts'
import { reviewLength } from '#contract/review-text.ts'
import * as reviews from '#contract/reviews.ts'

/** The limits that members feel, each from the contract. */
export const published = {
  acceptLimits: matching.acceptLimits,
  activeBonusHours: matching.activeBonusHours,
  activeDays: matching.activeDays,
  appealDays,
  brokenReports: matching.brokenReports,
  circleDays: matching.circleDays,
  confirmHours: reviews.confirmHours,
  cooldownLadder: matching.cooldownLadder as readonly number[],
  creditLine: matching.creditLine,
  declarationEndDays,
  candidateSeenHours: matching.candidateSeenHours,
  candidatesNeeded: matching.candidatesNeeded,
  askAlertDays: matching.askAlertDays,
  declarationLimits,
  debtMonths: retention.debtMonths,
  drawSpare: matching.drawSpare,
  drawSpareMost: matching.drawSpareMost,
  drawSpareWidening: matching.drawSpareWidening,
  duplicateSimilarity: reviews.duplicateSimilarity,
  escalationHours: matching.escalationHours,
  exportLinkHours,
  exportsPerDay,
  freeDeclinesPerDay: matching.freeDeclinesPerDay,
  givingCap: matching.givingCap,
  lastReminderHours: reviews.lastReminderHours,
  keptUnpaidDays,
  liveProductsLimit,
  graceDays,
  graceReminderDays,
  pauseEveryDays,
  membershipPriceCents,
  minimumUseMinutes: reviews.minimumUseMinutes,
  moderationHours: reviews.moderationHours,
  noticeDays,
  nudges: matching.nudges,
  offerMinutes: matching.offerMinutes,
  pairWindow: matching.pairWindow,
  passkeysMost,
  passwordLength,
  pauseLongestDays,
  presence: { lastsSeconds: matching.presence.lastsSeconds },
  productExposure: matching.productExposure,
  proofBytesLimit: reviews.proofBytesLimit,
  proofKeptDays: reviews.proofKeptDays,
  orderNumbersPerReview: reviews.orderNumbersPerReview,
  orderTriesPerReview: reviews.orderTriesPerReview,
  proofQuota: reviews.proofQuota,
  purchaseHours: matching.purchaseHours,
  receiveLimits: matching.receiveLimits,
  refundDays,
  relaxationHours: matching.relaxationHours,
  takenBackHours: matching.takenBackHours,
  reminderHours: reviews.reminderHours as readonly number[],
  reofferHours: matching.reofferHours,
  reportDays,
  reportsPerDay,
  rests: matching.rests,
  slowAnswers: matching.slowAnswers,
  returnHours: reviews.returnHours,
  revealHours: matching.revealHours,
  reviewHours: matching.reviewHours,
  reviewLength,
  sessionLimits: { member: sessionLimits.member },
  slate: matching.slate,
  standbyHours: matching.standbyHours,
  strikes: matching.strikes,
  tagsLimit,
  unwantedLimits: matching.unwantedLimits,
  usernameChangeDays,
  usernameLength,
  usernameReservedDays,
  usualCouponPrices: usualCouponPrices as readonly number[],
}
export type Limits = typeof published
