// The rules of an exchange, from asking to the ledger.
import { declineReasons, isFreeDecline } from '#contract/matching.ts'
import type { DeclineReason } from '#contract/matching.ts'
import { categoryNames, usualDisclosure } from '#contract/products.ts'
import type { Category } from '#contract/products.ts'
import { count, days, hours, list, megabytes, minutes, percent, quoted } from '#contract/format.ts'
import type { Limits } from './limits.ts'
import type { Rule, RuleGroup } from './rule.ts'

/** When a review may be asked for, and what moves a request ahead. */
export function asking({
  productExposure,
  fewestCandidates,
  activeBonusHours,
  activeDays,
}: Limits): RuleGroup {
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
        figure: hours(activeBonusHours),
        name: 'ahead in the queue',
        sentence: `Requests are served in the order in which they came; those of sellers who gave a review in the last ${days(activeDays)} count as asked that much earlier.`,
      },
    ],
  }
}

/** Who takes part in a draw, and in which order they are asked. */
export function rotation({
  presence,
  escalationHours,
  standbyHours,
  slate,
  drawSpare,
  pairWindow,
  ...limits
}: Limits): RuleGroup {
  return {
    id: 'rotation',
    title: 'The draw',
    lead: 'Who is asked follows from the order of the rotation and a lottery. Ratings play no part in it.',
    rules: [
      {
        figure: `${presence.lastsSeconds} seconds`,
        name: 'without a sign before you count as away',
        sentence:
          'While the page is open, it tells us that you are here. Members who are present are asked first.',
      },
      {
        figure: hours(escalationHours.absent),
        name: 'until members who are away are asked',
        sentence: 'A younger request is offered to members who are present only.',
      },
      {
        figure: hours(escalationHours.standby),
        name: 'until members on stand-by are asked',
        sentence: `Stand-by begins with an offer that ran out unseen, or after ${hours(standbyHours)} without a visit, and ends with the next one.`,
      },
      ...bands(limits),
      {
        figure: count(drawSpare, 'member'),
        name: 'more than there are requests take part in a draw',
        sentence:
          'They are taken in this order, and among equals by who has gone longest without an offer. Between those of equal standing the lottery decides. If they cannot serve all requests, more are taken.',
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

/** The order of the rotation, as the column `band` of the database has it. */
function bands({ givingCap, relaxationHours }: Pick<Limits, 'givingCap' | 'relaxationHours'>): Rule[] {
  const waited = [0, 1, 2].map((step) => {
    const ahead = givingCap + step
    return `${hours(relaxationHours * 2 ** step)} for members who are ${ahead} ahead`
  })
  return [
    {
      figure: 'First',
      name: 'members who owe a review',
      sentence:
        'Your position is your balance, plus reviews that you are writing, less those being written for you and your open requests. Whoever owes more comes before whoever owes less.',
    },
    { figure: 'Then', name: 'members who are even', sentence: 'They gave as much as they got.' },
    {
      figure: 'Last',
      name: 'members who are ahead',
      sentence: `Only for requests that have waited: ${list(waited)}, and so on, twice as long each time.`,
    },
  ]
}

/** How long an offer stands, how many may be accepted, and when it may come again. */
export function offers({ offerMinutes, acceptLimits, reofferHours }: Limits): RuleGroup {
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
        name: `accepted in any ${hours(acceptLimits.weekHours)}, at most`,
        sentence: 'Counted back from each moment, not from Monday.',
      },
      {
        figure: hours(reofferHours.expired),
        name: 'until a product you let pass can be offered again',
        sentence: 'After a missed review, nothing at all is offered to you for as long.',
      },
      {
        figure: hours(reofferHours.declined),
        name: 'until a product you declined can be offered again',
        sentence: `If the reason was ${quoted([declineReasons.busy, declineReasons.other], 'or')}, or there was none. After any other reason it is not offered to you again.`,
      },
    ],
  }
}

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']

/** The cooldowns, step by step, and the reasons that never count. */
export function declines({ cooldownLadder }: Limits): RuleGroup {
  const reasons = Object.keys(declineReasons) as DeclineReason[] // Its keys are the reasons.
  const free = reasons.filter(isFreeDecline).map((reason) => declineReasons[reason])
  return {
    id: 'declines',
    title: 'Declines and cooldown',
    lead: 'Repeated declines on one day bring a time without offers. The count starts again at midnight UTC; a cooldown that runs goes on.',
    rules: [
      ...cooldownLadder.map((cooldown, step) => ({
        figure: cooldown === 0 ? 'No cooldown' : minutes(cooldown),
        name: `${ordinals[step] ?? `${step + 1}th`} decline${step === cooldownLadder.length - 1 ? ' and every further one' : ''}`,
        sentence:
          cooldown === 0
            ? 'Everybody may say no.'
            : 'No new offers reach you. What you have accepted goes on.',
      })),
      {
        figure: 'Never counted',
        name: 'honest conflicts',
        sentence: `${quoted(free)} say something true about the match and carry no cooldown.`,
      },
    ],
  }
}

/** The clocks of reviewer and seller, and what missing them does. */
export function deadlines({
  purchaseHours,
  reviewHours,
  reminderHours,
  lastReminderHours,
  confirmHours,
  returnHours,
  strikes,
}: Limits): RuleGroup {
  return {
    id: 'deadlines',
    title: 'Deadlines',
    lead: 'Both clocks of a reviewer start with the acceptance. Moments are those of our database.',
    rules: [
      {
        figure: hours(purchaseHours),
        name: 'to buy and prove it',
        sentence: `This keeps you on time. Reminders come after ${list(reminderHours.map(hours))}. Later the review is late but open, and nothing else is offered to you until you have bought.`,
      },
      {
        figure: hours(reviewHours),
        name: 'in all, to hand in the review',
        sentence: `This is the hard end. A reminder comes ${hours(lastReminderHours)} before it.`,
      },
      {
        figure: hours(confirmHours),
        name: 'for the seller to check',
        sentence: 'Without an answer the review is verified by itself.',
      },
      {
        figure: hours(returnHours),
        name: 'to answer a returned review',
        sentence: 'You edit it, or hand it in unchanged if you stand by it.',
      },
      {
        figure: count(strikes.limit, 'missed review'),
        name: `in ${days(strikes.days)} suspend an account`,
        sentence:
          'A review is missed when its hard end, or the time to answer a return, passes. The seller’s request goes on at its old place.',
      },
    ],
  }
}

/** What a review has to be, and how long the product has to be used before. */
export function text({ reviewLength, minimumUseMinutes, duplicateSimilarity }: Limits): RuleGroup {
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
      ...timesOfUse(minimumUseMinutes),
    ],
  }
}

/** Categories with the same shortest time of use share a rule. */
function timesOfUse(byCategory: Record<string, number>): Rule[] {
  const times = [...new Set(Object.values(byCategory))].toSorted((one, other) => one - other)
  return times.map((time) => {
    const names = Object.entries(byCategory)
      .filter(([, each]) => each === time)
      .map(([category]) => categoryNames[category as Category] ?? category) // The record's keys are categories.
    return {
      figure: minutes(time),
      name: 'from purchase to review, at least',
      sentence: `For ${list(names)}.`,
    }
  })
}

/** Which proofs of purchase are taken, and how long they are kept. */
export function proof({ proofBytesLimit, proofQuota, proofKeptDays }: Limits): RuleGroup {
  return {
    id: 'proof',
    title: 'Proof of purchase',
    lead: 'An order number, or a screenshot or PDF of the receipt. The seller never sees it.',
    rules: [
      {
        figure: `Under ${megabytes(proofBytesLimit)}`,
        name: 'JPG, PNG or PDF',
        sentence: 'Pictures are made again, so that hidden data in them is gone.',
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

/** How far a balance may go either way. */
export function ledger({ creditLine, givingCap, relaxationHours }: Limits): RuleGroup {
  return {
    id: 'ledger',
    title: 'Ledger, credit and balance',
    lead: 'Each verified review adds one to the giver and takes one from the receiver, in one step. The sum over the club is always zero.',
    rules: [
      {
        figure: count(creditLine, 'review'),
        name: 'on credit',
        sentence:
          'So far your balance may go below zero, with open requests and reviews being written for you taken away.',
      },
      {
        figure: count(givingCap, 'review'),
        name: 'ahead, at most',
        sentence: 'Then you are asked again once you have received one.',
      },
      {
        figure: hours(relaxationHours),
        name: 'until a request relaxes that limit',
        sentence:
          'By one at this age, and by one more each time the age doubles, so that nothing waits for ever.',
      },
    ],
  }
}
