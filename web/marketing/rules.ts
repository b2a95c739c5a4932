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
import { categoryNames, liveProductsLimit, tagsLimit, usualCouponPrices, usualDisclosure } from '#contract/products.ts'
import type { Category } from '#contract/products.ts'
import { sessionLimits } from '#contract/retention.ts'
import * as reviews from '#contract/reviews.ts'
import { passkeysMost, usernameChangeDays, usernameReservedDays } from '#contract/settings.ts'

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

const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
const days = (number: number) => count(number, 'day')
const hours = (number: number) => (number % 24 === 0 && number > 72 ? days(number / 24) : count(number, 'hour'))
const minutes = (number: number) => (number >= 60 && number % 60 === 0 ? hours(number / 60) : count(number, 'minute'))
const percent = (share: number) => `${Math.round(share * 1000) / 10}%`
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
const megabytes = (bytes: number) => `${Math.round((bytes / (1024 * 1024)) * 100) / 100} MB`
const join = (words: readonly string[], last = 'and') =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`
const quoted = (words: readonly string[]) => join(words.map((each) => `“${each}”`))

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

function asking({ productExposure, fewestCandidates, activeBonusHours, activeDays }: Limits): RuleGroup {
  return {
    id: 'asking',
    title: 'Asking for a review',
    lead: 'You may ask when your address is confirmed, your membership is active and not paused, and the product is in the rotation.',
    rules: [
      {
        figure: count(1, 'open request'),
        name: 'for each product',
        sentence: 'A product that is in the queue, offered or in review cannot be put into the queue again.',
      },
      {
        figure: count(productExposure.reviews, 'review'),
        name: `of one product in any ${days(productExposure.days)}`,
        sentence: 'More would let the club drown out what other buyers say about it.',
      },
      {
        figure: count(fewestCandidates, 'member'),
        name: 'who could take it soon',
        sentence: 'With fewer, a request is refused instead of standing in a queue that cannot serve it.',
      },
      {
        figure: count(activeBonusHours, 'hour'),
        name: 'ahead in the queue',
        sentence: `Requests are served in the order in which they came; those of sellers who gave a review in the last ${days(activeDays)} count as asked that much earlier.`,
      },
    ],
  }
}

function rotation({ presence, escalationHours, standbyHours, slate, drawSpare, pairWindow, ...limits }: Limits): RuleGroup {
  return {
    id: 'rotation',
    title: 'The draw',
    lead: 'Who is asked follows from the order of the rotation and a lottery. Ratings play no part in it.',
    rules: [
      {
        figure: `${presence.lastsSeconds} seconds`,
        name: 'you count as present',
        sentence: 'after the page last told us that you are here. Members who are present are asked first.',
      },
      {
        figure: count(escalationHours.absent, 'hour'),
        name: 'until members who are away are asked',
        sentence: 'A younger request is offered to members who are present only.',
      },
      {
        figure: count(escalationHours.standby, 'hour'),
        name: 'until members on stand-by are asked',
        sentence: `Stand-by begins with an offer that ran out unseen, or after ${count(standbyHours, 'hour')} without a visit, and ends with the next one.`,
      },
      ...bands(limits),
      {
        figure: count(drawSpare, 'member'),
        name: 'more than there are requests take part in a draw',
        sentence:
          'They are taken in order: by band, then by who has gone longest without an offer. Within a band the lottery decides. If they cannot serve all requests, more are taken.',
      },
      {
        figure: percent(slate.start),
        name: 'of the club may receive a new request',
        sentence: `The share is drawn by lot and doubles every ${minutes(slate.doublingMinutes)}, so that nobody can time a request to fall to a certain person.`,
      },
      {
        figure: `${days(pairWindow.shortestDays)} or more`,
        name: 'between two exchanges of the same two members',
        sentence: `In either direction. The time grows with the club, to ${percent(pairWindow.share)} of what it could bear at its pace of the last four weeks, and has no end from ${count(pairWindow.endlessFrom, 'member')} on. Nobody reviews the same product twice.`,
      },
    ],
  }
}

/** The bands of the rotation, as the column `band` of the database computes them. */
function bands({ givingCap, relaxationHours }: Pick<Limits, 'givingCap' | 'relaxationHours'>): Rule[] {
  const ahead = (steps: number) =>
    `${steps} ahead, or more: only for requests older than ${count(relaxationHours * 2 ** (steps - givingCap), 'hour')}`
  return [
    {
      figure: 'Bands 0 to 2',
      name: 'members who owe two, owe one, or are even',
      sentence:
        'A lower band is asked first. What counts is the balance, with reviews that you are writing added, and those being written for you and your open requests taken away.',
    },
    {
      figure: 'Bands 5 to 8',
      name: 'members who are ahead',
      sentence: `They are asked only when nobody else was found in time. ${join([givingCap, givingCap + 1, givingCap + 2, givingCap + 3].map(ahead), 'and')}.`,
    },
  ]
}

function offers({ offerMinutes, acceptLimits, reofferHours }: Limits): RuleGroup {
  return {
    id: 'offers',
    title: 'Being asked',
    lead: 'An offer is made to one member at a time, and a member has one offer at a time.',
    rules: [
      {
        figure: minutes(offerMinutes.present),
        name: 'to answer when you are present',
        sentence: 'Then it goes to the next member. Letting it run out is not a decline.',
      },
      {
        figure: minutes(offerMinutes.absent),
        name: 'to answer when you are away',
        sentence: 'The email tells until when.',
      },
      {
        figure: count(acceptLimits.perDay, 'review'),
        name: 'accepted a day, at most',
        sentence: 'A day begins at midnight UTC.',
      },
      {
        figure: count(acceptLimits.perWeek, 'review'),
        name: `accepted in any ${count(acceptLimits.weekHours, 'hour')}, at most`,
        sentence: 'Counted back from each moment, not from Monday.',
      },
      {
        figure: count(reofferHours.expired, 'hour'),
        name: 'until the same product can be offered again',
        sentence: 'after you let an offer of it run out, and until anything is offered again after a missed review.',
      },
      {
        figure: count(reofferHours.declined, 'hour'),
        name: 'until it can be offered again',
        sentence: `after you declined with ${quoted([matching.declineReasons.busy, matching.declineReasons.other])} or without a reason. After any other reason it never is.`,
      },
    ],
  }
}

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']

function declines({ cooldownLadder }: Limits): RuleGroup {
  const reasons = Object.keys(matching.declineReasons) as matching.DeclineReason[] // Its keys are the reasons.
  const free = reasons.filter(matching.isFreeDecline).map((reason) => matching.declineReasons[reason])
  return {
    id: 'declines',
    title: 'Declines and cooldown',
    lead: 'Repeated declines on one day bring a time without offers. The count starts again at midnight UTC; a cooldown that runs goes on.',
    rules: [
      ...cooldownLadder.map((cooldown, step) => ({
        figure: cooldown === 0 ? 'No cooldown' : minutes(cooldown),
        name: `${ordinals[step] ?? `${step + 1}th`} decline${step === cooldownLadder.length - 1 ? ' and every further one' : ''}`,
        sentence:
          cooldown === 0 ? 'Everybody may say no.' : 'No new offers reach you. What you have accepted goes on.',
      })),
      {
        figure: 'Never counted',
        name: 'honest conflicts',
        sentence: `${quoted(free)} say something true about the match and carry no cooldown.`,
      },
    ],
  }
}

function deadlines({ purchaseHours, reviewHours, reminderHours, lastReminderHours, confirmHours, returnHours, strikes }: Limits): RuleGroup {
  return {
    id: 'deadlines',
    title: 'Deadlines',
    lead: 'Both clocks of a reviewer start with the acceptance. Moments are those of our database.',
    rules: [
      {
        figure: count(purchaseHours, 'hour'),
        name: 'to buy and prove it',
        sentence: `This keeps you on time. Reminders come after ${join(reminderHours.map((each) => count(each, 'hour')))}. Later the review is late but open, and nothing else is offered to you until you have bought.`,
      },
      {
        figure: hours(reviewHours),
        name: 'in all, to hand in the review',
        sentence: `This is the hard end. A reminder comes ${count(lastReminderHours, 'hour')} before it.`,
      },
      {
        figure: count(confirmHours, 'hour'),
        name: 'for the seller to check',
        sentence: 'Without an answer the review is verified by itself.',
      },
      {
        figure: count(returnHours, 'hour'),
        name: 'to answer a returned review',
        sentence: 'You edit it, or hand it in unchanged if you stand by it.',
      },
      {
        figure: count(strikes.limit, 'missed review'),
        name: `in ${days(strikes.days)} suspend an account`,
        sentence: 'A review is missed when its hard end, or the time to answer a return, passes. The seller’s request goes on at its old place.',
      },
    ],
  }
}

function text({ reviewLength, minimumUseMinutes, duplicateSimilarity }: Limits): RuleGroup {
  return {
    id: 'text',
    title: 'The review',
    lead: 'Checks advise while you write. A person decides wherever a check is not enough.',
    rules: [
      {
        figure: `${count(reviewLength.words, 'word')} or ${count(reviewLength.sentences, 'sentence')}`,
        name: 'at least',
        sentence: 'In your own words. The disclosure does not count, and neither does repeating yourself.',
      },
      {
        figure: count(reviewLength.characters, 'character'),
        name: 'at most',
        sentence: 'The disclosure comes on top.',
      },
      {
        figure: percent(duplicateSimilarity),
        name: 'in common with another text is too close',
        sentence: 'Compared, in pieces of three letters, with the reviews of the club and with the listing.',
      },
      {
        figure: 'Always',
        name: 'the disclosure, where a review is posted',
        sentence: `It stands in front: “${usualDisclosure}” A marketplace may have a sentence of its own.`,
      },
      ...useTimes(minimumUseMinutes),
    ],
  }
}

/** Categories with the same shortest time of use share a rule. */
function useTimes(byCategory: Record<string, number>): Rule[] {
  const times = [...new Set(Object.values(byCategory))].toSorted((one, other) => one - other)
  return times.map((time) => {
    const names = Object.entries(byCategory)
      .filter(([, each]) => each === time)
      .map(([category]) => categoryNames[category as Category] ?? category) // The record's keys are categories.
    return {
      figure: minutes(time),
      name: 'from purchase to review, at least',
      sentence: `For ${join(names)}.`,
    }
  })
}

function proof({ proofBytesLimit, proofQuota, proofKeptDays }: Limits): RuleGroup {
  return {
    id: 'proof',
    title: 'Proof of purchase',
    lead: 'An order number, or a screenshot or PDF of the receipt. The seller never sees it.',
    rules: [
      {
        figure: `Under ${megabytes(proofBytesLimit + 1)}`,
        name: 'JPG, PNG or PDF',
        sentence: 'Pictures are made anew, so that hidden data in them is gone.',
      },
      {
        figure: `${count(proofQuota.files, 'file')}, ${megabytes(proofQuota.bytes)}`,
        name: `in ${days(proofQuota.days)}, at most`,
        sentence: 'For each member.',
      },
      {
        figure: 'Once',
        name: 'for each order and file',
        sentence: 'One order number or file proves one review in the whole club.',
      },
      {
        figure: days(proofKeptDays),
        name: 'until the file is deleted',
        sentence: 'Counted from the day on which the review is final. Its fingerprint stays.',
      },
    ],
  }
}

function ledger({ creditLine, givingCap, relaxationHours }: Limits): RuleGroup {
  return {
    id: 'ledger',
    title: 'Ledger, credit and balance',
    lead: 'Each verified review adds one to the giver and takes one from the receiver, in one step. The sum over the club is always zero.',
    rules: [
      {
        figure: count(creditLine, 'review'),
        name: 'on credit',
        sentence: 'So far your balance may go below zero, with open requests and reviews being written for you taken away.',
      },
      {
        figure: count(givingCap, 'review'),
        name: 'ahead, at most',
        sentence: 'Then you are asked again once you have received one.',
      },
      {
        figure: count(relaxationHours, 'hour'),
        name: 'until a request relaxes that limit',
        sentence: 'By one at this age, and by one more each time the age doubles, so that nothing waits for ever.',
      },
    ],
  }
}

function reports({ moderationHours, appealDays }: Limits): RuleGroup {
  return {
    id: 'reports',
    title: 'Reports and decisions',
    lead: 'An opinion is never a reason. Every decision against somebody comes with its reasons and a way to appeal.',
    rules: [
      {
        figure: 'Once',
        name: 'a seller may send a review back',
        sentence: `For one of these facts: ${quoted(Object.values(reviews.returnReasons))}.`,
      },
      {
        figure: count(moderationHours, 'hour'),
        name: 'until our staff decide about a report',
        sentence: 'They read text, proof and history, and name the rule.',
      },
      {
        figure: days(appealDays),
        name: 'to appeal',
        sentence: 'Somebody else decides.',
      },
    ],
  }
}

function products({ liveProductsLimit, tagsLimit, usualCouponPrices }: Limits): RuleGroup {
  return {
    id: 'products',
    title: 'Products and marketplaces',
    lead: 'Products can be connected to marketplaces on the operator’s list, and to no other.',
    rules: [
      {
        figure: count(liveProductsLimit, 'product'),
        name: 'in the rotation at a time',
        sentence: 'You can save as many as you like; the others wait in your archive.',
      },
      {
        figure: join(usualCouponPrices.map(dollars), 'or'),
        name: 'with the coupon',
        sentence: 'Unless the marketplace’s entry allows other prices.',
      },
      { figure: count(tagsLimit, 'tag'), name: 'for each product, at most', sentence: 'They help a reviewer to decide.' },
    ],
  }
}

function membership({ membershipPriceCents, refundDays, pauseLongestDays, noticeDays }: Limits): RuleGroup {
  return {
    id: 'membership',
    title: 'Membership, pause and refund',
    lead: 'One plan for everybody. You can cancel at any time.',
    rules: [
      {
        figure: dollars(membershipPriceCents),
        name: 'a month',
        sentence: 'There are no tiers, credits or extras.',
      },
      {
        figure: days(refundDays),
        name: 'to have your first payment back',
        sentence: 'In whole days of 24 hours from that payment, once per person, whatever the reason.',
      },
      {
        figure: days(pauseLongestDays),
        name: 'of pause, at most',
        sentence: 'You get no offers and owe none; your requests keep their places. What you have accepted keeps its deadlines.',
      },
      {
        figure: days(noticeDays),
        name: 'of notice',
        sentence: 'before the price or the terms change for you.',
      },
    ],
  }
}

function account(limits: Limits): RuleGroup {
  const { usernameLength, usernameChangeDays, usernameReservedDays, passwordLength, passkeysMost } = limits
  const { sessionLimits, exportsPerDay, exportLinkHours } = limits
  return {
    id: 'account',
    title: 'Your account',
    lead: 'One person, one account.',
    rules: [
      {
        figure: `${usernameLength.min} to ${usernameLength.max} characters`,
        name: 'for a username',
        sentence: 'A letter first, then letters, digits, hyphens and underscores, all in lower case.',
      },
      {
        figure: days(usernameChangeDays),
        name: 'between two changes of username',
        sentence: `The old one stays reserved for ${days(usernameReservedDays)}.`,
      },
      {
        figure: `${passwordLength.min} to ${passwordLength.max} characters`,
        name: 'for a password',
        sentence: 'Any characters, but none of the passwords that are easiest to guess.',
      },
      { figure: count(passkeysMost, 'passkey'), name: 'at most', sentence: 'Give each the name of its device.' },
      {
        figure: days(sessionLimits.member.idleDays),
        name: 'signed in without a visit',
        sentence: `And ${days(sessionLimits.member.totalDays)} in any case.`,
      },
      {
        figure: count(exportsPerDay, 'archive'),
        name: 'of your data a day',
        sentence: `Each can be downloaded once, within ${count(exportLinkHours, 'hour')}.`,
      },
    ],
  }
}
