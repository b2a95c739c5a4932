// The rules of an exchange, from the request to the ledger.
import { declineReasons, isHonestReason } from '#contract/matching-rules.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import { categoryNames, usualDisclosure } from '#contract/products.ts'
import type { Category } from '#contract/products.ts'
import { count, days, hours, list, megabytes, minutes, percent, quoted } from '#contract/format.ts'
import type { Limits } from './limits.ts'
import type { Rule, RuleGroup } from './rule.ts'

/** When members may ask for a review, and what moves a request ahead. */
export function asking({
  productExposure,
  candidateSeenHours,
  askAlertDays,
  candidatesNeeded,
  activeBonusHours,
  activeDays,
}: Limits): RuleGroup {
  return {
    id: 'asking',
    title: 'Asking for a review',
    lead:
      'You can ask when your address is confirmed, your membership is active and not paused, and ' +
      'the product is in the rotation.',
    rules: [
      {
        figure: count(1, 'open request'),
        name: 'for each product',
        sentence: 'A product that’s in the queue, offered or in review can’t join the queue again.',
      },
      {
        figure: count(productExposure.reviews, 'review'),
        name: `of one product in any ${days(productExposure.days)}`,
        sentence: 'With more, the club would drown out what other buyers say about it.',
      },
      {
        figure: count(1, 'product'),
        name: 'for each listing of a marketplace',
        sentence:
          'However its link is written. If it’s deleted and added again, even by another member, it keeps ' +
          'its place in the lottery, its number of reviews and who has reviewed it.',
      },
      {
        figure: 'Same lottery',
        name: 'after a canceled request',
        sentence:
          'What you ask for next on that day (UTC) takes its place in the lottery, whichever product it ' +
          'is. So no one can cancel and ask until the lottery suits them.',
      },
      {
        figure: 'Fixed',
        name: 'while it’s offered or in review',
        sentence: 'Link, name, category and price. A reviewer gets what they were offered.',
      },
      {
        figure: count(candidatesNeeded.most, 'member'),
        name: 'who could take it soon',
        sentence:
          `They were here in the last ${hours(candidateSeenHours)} and can be asked within a day. With ` +
          'fewer, we refuse the request instead of letting it sit in the queue with no one to take it. ' +
          `In a smaller club, ${percent(candidatesNeeded.share)} of its members are enough, and at least ` +
          `${candidatesNeeded.least}. If you’ve given more than you received and asked for, ` +
          `${candidatesNeeded.mostIfAhead} are. You can be notified when enough could take it, for up to ` +
          `${days(askAlertDays)}.`,
      },
      {
        figure: hours(activeBonusHours),
        name: 'ahead in the queue',
        sentence:
          'Requests are served in the order they came in. If you gave a review in the last ' +
          `${days(activeDays)}, yours counts as that much older.`,
      },
    ],
  }
}

/** Who takes part in a draw, and in what order they are asked. */
export function rotation({
  presence,
  nudges,
  escalationHours,
  standbyHours,
  revealHours,
  slate,
  drawSpare,
  drawSpareWidening,
  drawSpareMost,
  pairWindow,
  circleDays,
  declarationLimits,
  declarationEndDays,
  ...limits
}: Limits): RuleGroup {
  return {
    id: 'rotation',
    title: 'The draw',
    lead: 'The order of the rotation and a lottery decide who is asked. Ratings play no part.',
    rules: [
      {
        figure: `${presence.lastsSeconds} seconds`,
        name: 'without a signal before you count as away',
        sentence:
          'While the page is open, it shows us that you’re online. Members who are online are asked first.',
      },
      {
        figure: minutes(nudges.afterMinutes),
        name: 'until we let members who are away know that a request waits',
        sentence:
          `For each request one member in ${minutes(nudges.perRequestMinutes)}, by the same lottery, and ` +
          `a member at most once in ${hours(nudges.perMemberHours)} and never in their quiet hours. It ` +
          'names neither the product nor the seller and reserves nothing: members who are online are ' +
          'asked. You can switch it off in Settings.',
      },
      {
        figure: hours(escalationHours.absent),
        name: 'until members who are away are asked',
        sentence: 'Before that, a request is only offered to members who are online.',
      },
      {
        figure: hours(escalationHours.standby),
        name: 'until members on standby are asked',
        sentence:
          'You’re on standby after an offer ran out before you saw it, or after ' +
          `${hours(standbyHours)} without a visit. It ends when you visit again.`,
      },
      ...bands(limits),
      {
        figure: count(drawSpare, 'member'),
        name: 'at least, beyond one for each request, take part in a draw',
        sentence:
          'They’re picked in this order, among equals those who have gone longest without an offer. ' +
          'Between those picked who are equal in the order, the lottery decides. If they can’t serve all ' +
          `requests, the same draw tries again with ${drawSpareWidening} times as many, ` +
          `up to ${drawSpareMost}.`,
      },
      {
        figure: percent(slate.start),
        name: 'of the club may receive a new request',
        sentence:
          'The lottery picks them, and their share doubles every ' +
          `${minutes(slate.doublingMinutes)}, so you can’t time a request to reach a particular ` +
          'member.',
      },
      {
        figure: hours(revealHours),
        name: 'after a day (UTC), the secret of its lottery is published',
        sentence:
          'Its hash is published before the day. From then on anyone with the receipt of a request or an ' +
          'offer can check the whole draw.',
      },
      {
        figure: `${days(pairWindow.shortestDays)} or more`,
        name: 'between two exchanges of the same two members',
        sentence:
          `The time grows with the club, to ${percent(pairWindow.share)} of the longest it could manage ` +
          `at its pace of the last four weeks, or at ${count(pairWindow.slowestPace, 'review')} per ` +
          `member and week if that is more (${pairWindow.slowestPaceSmall} with fewer than ` +
          `${count(pairWindow.small, 'member')}). With ${count(pairWindow.endlessFrom, 'member')} or more, ` +
          'it never ends. It’s measured every hour, and the one at the time of the draw counts. You never ' +
          'review the same product twice.',
      },
      {
        figure: `${pairWindow.reverse} times as long`,
        name: 'before the two change sides',
        sentence:
          'If you reviewed a member last, they wait this much longer before they can review you, so that ' +
          `no one trades reviews. With fewer than ${count(pairWindow.small, 'member')}, it’s ` +
          `${pairWindow.reverseSmall} times as long.`,
      },
      {
        figure: 'Last',
        name: 'members who’d close a circle of three',
        sentence:
          `If you reviewed a member who reviewed another in the last ${days(circleDays)}, or since the ` +
          'pair window began where that is shorter, we ask that one after everyone else ' +
          'at the same place in the order.',
      },
      {
        figure: 'Never',
        name: 'the same person, household, team, shop or card',
        sentence:
          'Two accounts are the same person when one has had an email address or a sign-in account of ' +
          'the other. Never, too, a member, shop or listing that either of you declared a conflict of ' +
          'interest or a competitor. It counts at once, in both directions, and the other side isn’t ' +
          'notified of a conflict or a competitor.',
      },
      {
        figure: percent(declarationLimits.share),
        name: 'of the club may be declared by one member',
        sentence:
          `At least ${declarationLimits.least} and at most ${declarationLimits.most}, so that no one can ` +
          `choose a reviewer. A removed one counts for ${days(declarationEndDays)} more.`,
      },
      {
        figure: 'Your hours',
        name: 'in which you’re asked',
        sentence:
          'If you set them in Settings, you count as away at other times and get no offers. If that lasts ' +
          'longer than a day, you don’t count as a member who could take a request.',
      },
    ],
  }
}

/** The order of the rotation, as in the `band` column of the database. */
function bands({ givingCap, relaxationHours }: Pick<Limits, 'givingCap' | 'relaxationHours'>): Rule[] {
  const first = count(givingCap, 'review')
  const waited = [1, 2].map(
    (step) => `${hours(relaxationHours.nothing * 2 ** step)} for members who are ${givingCap + step} ahead`,
  )
  const steps = [
    `${hours(relaxationHours.bought)} if a review for them has been bought`,
    `${hours(relaxationHours.accepted)} if one is being written`,
    `${hours(relaxationHours.nothing)} for others who are ${givingCap} ahead`,
    ...waited,
  ]
  return [
    {
      figure: 'First',
      name: 'members who owe a review',
      sentence:
        'Your position is your balance, plus reviews you’re writing, minus reviews being written ' +
        'for you and your open requests. Members who owe more come first.',
    },
    { figure: 'Then', name: 'members who are even', sentence: 'They’ve given as much as they’ve received.' },
    {
      figure: 'Last',
      name: 'members who are ahead',
      sentence:
        `They come after everyone else. A member who is ${first} ahead can be asked at once if a review ` +
        `for them has been submitted. Otherwise the request must have waited: ${list(steps)}, and so on, ` +
        'doubling each time.',
    },
  ]
}

/** How long an offer stays open, how many you may accept, and when a product may be offered again. */
export function offers({
  offerMinutes,
  slowAnswers,
  acceptLimits,
  receiveLimits,
  reofferHours,
}: Limits): RuleGroup {
  return {
    id: 'offers',
    title: 'Being asked',
    lead: 'An offer goes to one member at a time, and you have one offer at a time.',
    rules: [
      {
        figure: minutes(offerMinutes.present),
        name: 'to answer when you’re online',
        sentence:
          'Then it goes to another member. Letting it run out isn’t a decline. While fewer than ' +
          `${percent(slowAnswers.share)} of such offers are answered in this time, they stay open for ` +
          `${minutes(slowAnswers.minutes)}. Measured each hour over those among the latest ` +
          `${count(slowAnswers.offers, 'offer')} of ${days(slowAnswers.days)}, once they are ` +
          `${slowAnswers.fewest}.`,
      },
      {
        figure: minutes(offerMinutes.absent),
        name: 'to answer when you’re away',
        sentence: 'The email says when it ends, in your time zone.',
      },
      {
        figure: count(receiveLimits.perDay, 'review'),
        name: 'received a day, at most',
        sentence:
          `And ${count(receiveLimits.perWeek, 'review')} in any ${hours(receiveLimits.weekHours)}, ` +
          'counted when a reviewer accepts. At the limit, your requests keep their places and wait.',
      },
      {
        figure: count(acceptLimits.perDay, 'review'),
        name: 'accepted a day, at most',
        sentence: 'A day starts at midnight UTC.',
      },
      {
        figure: count(acceptLimits.perWeek, 'review'),
        name: `accepted in any ${hours(acceptLimits.weekHours)}, at most`,
        sentence: 'Counted back from now, not from Monday.',
      },
      {
        figure: hours(reofferHours.expired),
        name: 'until a product can be offered again after you let it pass',
        sentence: 'After a missed review, you get no offers at all for the same time.',
      },
      {
        figure: hours(reofferHours.declined),
        name: 'until a product can be offered again after you decline it',
        sentence:
          `If your reason was ${quoted([declineReasons.busy, declineReasons.other], 'or')}, or you ` +
          `gave none. After ${quoted([declineReasons.not_relevant, declineReasons.similar], 'or')}, you ` +
          'won’t be offered it again.',
      },
    ],
  }
}

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']

function nameOfDecline(step: number, isLast: boolean) {
  return `${ordinals[step] ?? `${step + 1}th`} decline${isLast ? ' and later' : ''}`
}

/** The cooldowns, step by step, and the reasons that never count. */
export function declines({
  cooldownLadder,
  freeDeclinesPerDay,
  brokenReports,
  rests,
  unwantedLimits: unwanted,
}: Limits): RuleGroup {
  const reasons = Object.keys(declineReasons) as DeclineReason[] // Its keys are the reasons.
  const honest = reasons.filter(isHonestReason).map((reason) => declineReasons[reason])
  return {
    id: 'declines',
    title: 'Declines and cooldown',
    lead:
      'If you keep declining on the same day, you get a time without offers. The count starts over ' +
      'at midnight UTC, but a running cooldown continues.',
    rules: [
      ...cooldownLadder.map((cooldown, step) => ({
        figure: cooldown === 0 ? 'No cooldown' : minutes(cooldown),
        name: nameOfDecline(step, step === cooldownLadder.length - 1),
        sentence:
          cooldown === 0
            ? 'It’s fine to say no.'
            : 'You get no new offers. Reviews you’ve accepted continue.',
      })),
      {
        figure: count(freeDeclinesPerDay, 'decline'),
        name: 'a day that don’t count',
        sentence: `${quoted(honest)} state a fact about the match. Any further decline that day counts.`,
      },
      {
        figure: count(rests.after, 'offer'),
        name: `in a row not accepted bring a rest of ${hours(rests.hours)}`,
        sentence:
          'An offer counts if you decline it, if it runs out after you saw it or were online ' +
          `${minutes(rests.hereMinutes)} after it came, or if it’s the second in a row that you left ` +
          'unopened. Declines that don’t count, offers made while you were away and withdrawn offers are ' +
          'left out. Each further one doubles the rest, up to ' +
          `${days(rests.longestHours / 24)}. “I’m ready” on Cooldown Status ends it, and an acceptance ` +
          'starts the count over.',
      },
      {
        figure: count(rests.manyAfter, 'offer'),
        name: 'in a row not accepted',
        sentence:
          `From then on, “I’m ready” ends a rest only in its last ${hours(rests.readyHours)}. While you ` +
          'owe a review, you also come last among those who owe as much as you.',
      },
      {
        figure: 'Never again',
        name: 'what you own, and conflicts of interest',
        sentence:
          'You aren’t offered a product that you own, from any seller, and you’re never drawn together ' +
          'with a seller after a conflict of interest, in either direction. You can state as many ' +
          'conflicts as you can have declarations, counted separately. After that, only the product ' +
          'stays away.',
      },
      {
        figure: 'Until you undo it',
        name: 'formats you can’t use',
        sentence:
          'You aren’t offered products of that category and format. You can undo that in Settings, under ' +
          'Offers. If too few products would be left to you, only that product stays away.',
      },
      {
        figure:
          `${count(unwanted.products, 'product')}, ` +
          `${count(unwanted.categories, 'category', 'categories')}`,
        name: 'may be marked “Not for me”',
        sentence:
          'You aren’t offered them, and it isn’t a decline. ' +
          `At least ${Math.round(unwanted.shareLeft * 100)}% of the other members’ products stay ` +
          'possible, after your marks and the formats that you can’t use. For that, a seller’s products ' +
          `count as ${unwanted.ofSeller} at most. A mark that you take back still counts for ` +
          `${days(unwanted.waitDays)}, so no one chooses what to review.`,
      },
      {
        figure: count(brokenReports.members, 'member'),
        name: `in ${days(brokenReports.days)} who report a broken listing`,
        sentence:
          'Then it leaves the rotation and its request is canceled. We notify the seller, who can put it ' +
          'back after checking it. In these days, the same members can’t take it out again. Two accounts ' +
          'of one person count once.',
      },
    ],
  }
}

/** The deadlines of reviewer and seller, and what happens when they pass. */
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
    lead: 'Both of a reviewer’s clocks start when they accept. Our database’s clock decides.',
    rules: [
      {
        figure: hours(purchaseHours),
        name: 'to buy and prove it',
        sentence:
          `This keeps you on time. We remind you ${list(reminderHours.map(hours))} before it ends. After ` +
          'that the review is late but open, and you get no other offers until you’ve bought it.',
      },
      {
        figure: hours(reviewHours),
        name: 'in total, to submit the review',
        sentence: `This is the final deadline. We remind you ${hours(lastReminderHours)} before it.`,
      },
      {
        figure: hours(confirmHours),
        name: 'for the seller to check',
        sentence: 'Without an answer, the review is verified automatically.',
      },
      {
        figure: hours(returnHours),
        name: 'to answer a returned review',
        sentence: 'Edit it, or answer that you stand by it. Then a second person decides.',
      },
      {
        figure: count(strikes.limit, 'missed review'),
        name: `in ${days(strikes.days)} suspend an account`,
        sentence:
          'A review is missed when its final deadline passes, or the time to answer a return, or when ' +
          'our staff removes it before it is final. A report without any basis counts the same. The ' +
          'seller’s request goes back to its old place. Missed reviews also count for those who delete ' +
          'their account and join again, with those that they left unfinished.',
      },
    ],
  }
}

/** What a review needs, and how long to use the product before writing it. */
export function text({
  reviewLength,
  answerLength,
  minimumUseMinutes,
  duplicateSimilarity,
}: Limits): RuleGroup {
  return {
    id: 'text',
    title: 'The review',
    lead: 'We check your text while you write. When a check isn’t enough, a person decides.',
    rules: [
      {
        figure: `${count(reviewLength.words, 'word')} or ${count(reviewLength.sentences, 'sentence')}`,
        name: 'at least',
        sentence: 'In your own words. The disclosure and repeated text don’t count.',
      },
      {
        figure: count(answerLength, 'character'),
        name: 'at least, for each of the two answers',
        sentence: 'What you used it for, and who should not buy it. They are not part of what is published.',
      },
      {
        figure: count(reviewLength.characters, 'character'),
        name: 'at most',
        sentence: 'Plus the disclosure.',
      },
      {
        figure: percent(duplicateSimilarity),
        name: 'in common with another text is too close',
        sentence: 'Compared with the club’s reviews and with the listing, three letters at a time.',
      },
      {
        figure: 'Always',
        name: 'the disclosure, where a review is posted',
        sentence: `The review opens with: “${usualDisclosure}” A marketplace may have its own sentence.`,
      },
      ...timesOfUse(minimumUseMinutes),
    ],
  }
}

/** Categories with the same minimum time share a rule. */
function timesOfUse(byCategory: Record<string, number>): Rule[] {
  const times = [...new Set(Object.values(byCategory))].toSorted((one, other) => one - other)
  return times.map((time) => {
    const names = Object.entries(byCategory)
      .filter(([, each]) => each === time)
      // The record's keys are categories.
      .map(([category]) => categoryNames[category as Category] ?? category)
    return {
      figure: minutes(time),
      name: 'from purchase to review, at least',
      sentence: `For ${list(names)}. A new proof of purchase starts it again.`,
    }
  })
}

/** What counts as proof of purchase, and how long we keep it. */
export function proof({
  orderNumbersPerReview,
  orderTriesPerReview,
  proofBytesLimit,
  proofQuota,
  proofKeptDays,
}: Limits): RuleGroup {
  return {
    id: 'proof',
    title: 'Proof of purchase',
    lead: 'An order number, or a screenshot or PDF of the receipt. The seller never sees it.',
    rules: [
      {
        figure: `Under ${megabytes(proofBytesLimit)}`,
        name: 'JPG, PNG or PDF',
        sentence: 'We re-create pictures, which removes hidden data, and keep a picture of a PDF.',
      },
      {
        figure: `${count(proofQuota.files, 'file')}, ${megabytes(proofQuota.bytes)}`,
        name: `in ${days(proofQuota.days)}, at most`,
        sentence: 'For each member.',
      },
      {
        figure: 'Once',
        name: 'for each order and picture',
        sentence: 'For ever, in the whole club. Our staff compares pictures that are almost the same.',
      },
      {
        figure: count(orderNumbersPerReview, 'number'),
        name: 'for each review, at most',
        sentence:
          'Each is used up, so no one enters those of others. ' +
          `After ${orderTriesPerReview} tries, only a file proves it.`,
      },
      {
        figure: days(proofKeptDays),
        name: 'until the file is deleted',
        sentence: 'Counted from when the review is final. The picture’s fingerprints stay.',
      },
    ],
  }
}

/** How far a balance may go either way. */
export function ledger({
  creditLine,
  givingCap,
  relaxationHours,
  takenBackHours,
  resumeHours,
  debtMonths,
}: Limits): RuleGroup {
  return {
    id: 'ledger',
    title: 'Ledger, credit and balance',
    lead:
      'Each verified review adds one for its writer and takes one from its receiver, in one step. ' +
      'The sum over the club is always zero.',
    rules: [
      {
        figure: count(creditLine, 'review'),
        name: 'on credit',
        sentence:
          'Your balance may go this far below zero, counting open requests and reviews being ' +
          'written for you.',
      },
      {
        figure: count(givingCap, 'review'),
        name: 'ahead, at most',
        sentence:
          'After that, you get offers again once you’ve received one. For this limit, a review counts as ' +
          'received when its writer submits it.',
      },
      {
        figure: hours(takenBackHours),
        name: 'before your next request, if you take one back while a member is asked',
        sentence:
          'Or once the secret of its day is public, which shows who would be drawn before whom. Otherwise ' +
          'a seller could repeat a draw until a certain member is drawn. A request whose offer ' +
          'you end by a declaration, a new shop address or a pause keeps its place and waits as long.',
      },
      {
        figure: hours(resumeHours),
        name: 'in which a request that waited is drawn again',
        sentence:
          'After a pause, at your limit, after a declaration ended its offer or its review was missed, it ' +
          'is drawn again at a random moment in this time, which no one is shown. Otherwise a seller ' +
          'could choose the moment.',
      },
      {
        figure: hours(relaxationHours.nothing),
        name: 'until a request raises that limit',
        sentence:
          'By one after this wait, and by one more each time the wait doubles, so no request waits ' +
          `forever. The first step comes after ${hours(relaxationHours.accepted)} if a review is being ` +
          `written for you, and after ${hours(relaxationHours.bought)} if its writer has proved the ` +
          'purchase. Time on hold, or with a member who never wrote the review, doesn’t count.',
      },
      {
        figure: count(debtMonths, 'month'),
        name: 'that a debt outlives an account',
        sentence:
          'If you delete your account after receiving more reviews than you gave, and join again with ' +
          'the same email address, sign-in account or a listing that was reviewed, you start with that ' +
          'balance. A review that isn’t final when you leave doesn’t count as given. If you pay for a ' +
          'new account, it takes over what your old one owes.',
      },
      {
        figure: 'Give first',
        name: 'while members who left owe reviews',
        sentence:
          'When a member leaves, the club takes over their balance. While these balances and those of ' +
          'members without a membership are below zero together, new members give one review before they ' +
          'ask for their first, as long as there’s a request to give one to.',
      },
    ],
  }
}
