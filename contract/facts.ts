import { freshMinutes, passwordLength, secretLifetimeMinutes } from './accounts.ts'
import { usernameChangeDays, usernameLength, usernameReservedDays } from './members.ts'
import { passkeysMost, recoveryCodeCount } from './sign-in.ts'
import {
  acceptLimits,
  activeBonusHours,
  activeDays,
  brokenReports,
  cooldownLadder,
  creditLine,
  declineReasons,
  escalationHours,
  candidateSeenHours,
  candidatesNeeded,
  freeDeclinesPerDay,
  givingCap,
  isHonestReason,
  nudges,
  offerMinutes,
  pairWindow,
  productExposure,
  purchaseHours,
  receiveLimits,
  relaxationHours,
  takenBackHours,
  resumeHours,
  reofferHours,
  rests,
  reviewHours,
  slate,
  slowAnswers,
  standbyHours,
  strikes,
} from './matching-rules.ts'
import type { DeclineReason } from './matching-rules.ts'
import {
  appealDays,
  graceAgainDays,
  graceDays,
  membershipPriceCents,
  noticeDays,
  pauseEveryDays,
  pauseLongestDays,
  refundDays,
} from './membership.ts'
import { listingRules, reportDays, sanctionLadder } from './moderation.ts'
import { exportLinkHours, exportsPerDay } from './privacy.ts'
import {
  imageBytesLimit,
  keptUnpaidDays,
  liveProductsLimit,
  tagsLimit,
  usualCouponPrices,
  usualDisclosure,
} from './products.ts'
import { knownDeviceDays, retention, sessionLimits } from './retention.ts'
import { reviewLength } from './review-text.ts'
import {
  confirmHours,
  duplicateSimilarity,
  lastReminderHours,
  minimumUseMinutes,
  moderationHours,
  orderNumbersPerReview,
  orderTriesPerReview,
  proofBytesLimit,
  proofKeptDays,
  proofQuota,
  reminderHours,
  returnHours,
  reviewRules,
  reviewTags,
} from './reviews.ts'
import { count, days, dollars, hours, list, megabytes, minutes, percent, price, quoted } from './format.ts'

const timeOfUse = (category: string) => minutes(minimumUseMinutes[category] ?? 0)
const reasons = Object.keys(declineReasons) as DeclineReason[] // Object.keys types them as strings.
const cooldown = (nth: number) => minutes(cooldownLadder[nth - 1] ?? 0)

/**
 * The figures and lists that the texts of `content/` quote. A text writes `{{name}}`. An unknown name fails
 * the build, so a text and its rule cannot disagree.
 */
export const facts: Readonly<Record<string, string>> = {
  // Membership
  price: price(membershipPriceCents),
  pricePerMonth: `${price(membershipPriceCents)} a month`,
  refundTime: days(refundDays),
  refundHours: `${refundDays} × 24 hours`,
  pauseLongest: days(pauseLongestDays),
  pauseEvery: days(pauseEveryDays),
  graceTime: days(graceDays),
  graceAgain: days(graceAgainDays),
  priceNotice: days(noticeDays),
  endNotice: days(noticeDays),
  appealTime: days(appealDays),

  // Products
  liveProducts: count(liveProductsLimit, 'product'),
  keptUnpaid: days(keptUnpaidDays),
  tags: count(tagsLimit, 'tag'),
  imageSize: megabytes(imageBytesLimit),
  couponPrices: list(usualCouponPrices.map(dollars), 'or'),
  disclosure: usualDisclosure,
  exposure: count(productExposure.reviews, 'review'),
  exposureTime: days(productExposure.days),

  // Offers
  offerTimePresent: minutes(offerMinutes.present),
  offerTimeAbsent: minutes(offerMinutes.absent),
  offerTimeSlow: minutes(slowAnswers.minutes),
  acceptsPerDay: count(acceptLimits.perDay, 'review'),
  acceptsPerWeek: count(acceptLimits.perWeek, 'review'),
  acceptsWeek: hours(acceptLimits.weekHours),
  absentAfter: hours(escalationHours.absent),
  standbyAfter: hours(escalationHours.standby),
  standbyUnseen: hours(standbyHours),
  askedAgainAfterExpiry: hours(reofferHours.expired),
  askedAgainAfterDecline: hours(reofferHours.declined),
  honestReasons: quoted(reasons.filter(isHonestReason).map((reason) => declineReasons[reason])),
  freeDeclines: count(freeDeclinesPerDay, 'decline'),
  brokenReports: count(brokenReports.members, 'different member'),
  brokenListing: declineReasons.broken_listing,
  secondDecline: cooldown(2),
  thirdDecline: cooldown(3),
  fourthDecline: cooldown(4),
  restAfter: count(rests.after, 'offer'),
  restHere: minutes(rests.hereMinutes),
  restMany: count(rests.manyAfter, 'offer'),
  restReady: hours(rests.readyHours),
  restTime: hours(rests.hours),
  restLongest: days(rests.longestHours / 24),
  nudgeAfter: minutes(nudges.afterMinutes),

  // The balance and the queue
  creditLine: count(creditLine, 'review'),
  givingCap: count(givingCap, 'review'),
  relaxationAccepted: hours(relaxationHours.accepted),
  relaxationBought: hours(relaxationHours.bought),
  relaxationStart: hours(relaxationHours.nothing),
  mostWhoCould: count(candidatesNeeded.most, 'member'),
  shareWhoCould: percent(candidatesNeeded.share),
  leastWhoCould: String(candidatesNeeded.least),
  mostIfAhead: String(candidatesNeeded.mostIfAhead),
  seenLately: hours(candidateSeenHours),
  slateStart: percent(slate.start),
  slateDoubling: minutes(slate.doublingMinutes),
  activeTime: days(activeDays),
  activeBonus: hours(activeBonusHours),
  pairWindow: days(pairWindow.shortestDays),
  pairReverse: `${pairWindow.reverse} times as long`,
  pairReverseSmall:
    `${pairWindow.reverseSmall} times in a club of fewer than ` + count(pairWindow.small, 'member'),
  takenBackWait: hours(takenBackHours),
  resumeTime: hours(resumeHours),
  receivesPerDay: count(receiveLimits.perDay, 'review'),
  receivesPerWeek: count(receiveLimits.perWeek, 'review'),

  // Writing a review
  purchaseTime: hours(purchaseHours),
  reviewTime: hours(reviewHours),
  firstReminder: hours(reminderHours[0]),
  secondReminder: hours(reminderHours[1]),
  lastReminder: hours(lastReminderHours),
  useTimeShort: timeOfUse('template'),
  useTimeGuide: timeOfUse('guide'),
  useTimeCourse: timeOfUse('course'),
  reviewWords: count(reviewLength.words, 'word'),
  reviewSentences: count(reviewLength.sentences, 'sentence'),
  reviewCharacters: count(reviewLength.characters, 'character'),
  duplicateShare: percent(duplicateSimilarity),
  proofSize: megabytes(proofBytesLimit),
  orderNumbers: count(orderNumbersPerReview, 'number'),
  orderTries: count(orderTriesPerReview, 'time'),
  proofFiles: count(proofQuota.files, 'file'),
  proofTotal: megabytes(proofQuota.bytes),
  proofQuotaTime: days(proofQuota.days),
  proofKept: days(proofKeptDays),
  statusTags: list([reviewTags.pending, reviewTags.purchased, reviewTags.reviewed, reviewTags.verified]),

  // After the review
  confirmTime: hours(confirmHours),
  returnTime: hours(returnHours),
  returnReasons: quoted(Object.values(reviewRules).map(({ reason }) => reason)),
  listingBroken: listingRules.broken.reason,
  listingReasons: quoted(Object.values(listingRules).map(({ reason }) => reason)),
  reportTime: days(reportDays),
  moderationTime: hours(moderationHours),
  strikes: count(strikes.limit, 'missed review'),
  strikesTime: days(strikes.days),
  sanctionTime: days(sanctionLadder.days),

  // Accounts
  usernameLength: `${usernameLength.min} to ${usernameLength.max} characters`,
  usernameChange: days(usernameChangeDays),
  usernameReserved: days(usernameReservedDays),
  passwordLength: `${passwordLength.min} characters`,
  linkTime: minutes(secretLifetimeMinutes),
  freshTime: minutes(freshMinutes),
  recoveryCodes: count(recoveryCodeCount, 'recovery code'),
  passkeys: count(passkeysMost, 'passkey'),
  sessionIdle: days(sessionLimits.member.idleDays),
  deviceTime: days(knownDeviceDays),
  sessionTotal: days(sessionLimits.member.totalDays),
  staffSessionIdle: minutes(sessionLimits.staff.idleMinutes),
  staffSessionTotal: hours(sessionLimits.staff.totalHours),
  exportLinkTime: hours(exportLinkHours),
  exportsPerDay: count(exportsPerDay, 'archive'),

  // Records
  logTime: `${Math.round(retention.activityLogDays / 30.4)} months`,
  addressTime: days(retention.addressDays),
  mailTime: days(retention.mailDays),
  eventTime: days(retention.eventDays),
  erasureTime: days(retention.erasureDays),
  orderTime: days(retention.orderDays),
  paymentEventTime: days(retention.paymentEventDays),
  refundedCardTime: count(retention.refundMonths, 'month'),
  suspensionTime: count(retention.suspensionMonths, 'month'),
  debtTime: count(retention.debtMonths, 'month'),
  ringTime: days(retention.ringDays),
  visitorMessageTime: days(retention.visitorMessageDays),
  signUpTime: days(retention.signUpDays),

  // Laws on reviews
  ftcGuides: '16 CFR 255.5',
  ftcRule: '16 CFR part 465',
  euDirective: '2005/29/EC, article 7(6), and annex I, 23b and 23c',
  ukAct: 'Digital Markets, Competition and Consumers Act 2024 (schedule 20)',
}
