// What each public figure counts and how: beside it on /fairness, and with it in /api/figures.
import { facts } from './facts.ts'
import { decisionFigureDays, figureDays, figureMinimum, smallestCount } from './site.ts'
import type { FigureMethods } from './site.ts'

export const figureMethods: FigureMethods = {
  members: 'Confirmed, with an active membership, and not paused or suspended right now.',
  pairWindow:
    'Days until a member may review another again, and until the two may change sides, by the figures of ' +
    'the last hour.',
  exchanges: 'Requests whose review was verified.',
  waiting:
    'From request to acceptance, without time on hold: the median, and the longest that nine out of ' +
    `ten waited, of requests accepted in the last ${figureDays} days.`,
  offers: `Offers that ended in the last ${figureDays} days. Withdrawn offers aren’t counted.`,
  deadlines:
    `Reviews that ended in the last ${figureDays} days. On time means bought within ${facts.purchaseTime} ` +
    `and submitted within ${facts.reviewTime}. What ended without its writer’s fault isn’t counted.`,
  byStars:
    'Every review that has ended since the club began, by the stars it was first submitted with. ' +
    'Returned means sent back for an edit. Removed means taken out by our staff, or not answered in time ' +
    'after a return. What an appeal reversed isn’t counted as either. Counted once a day; a row appears ' +
    `once it has ${figureMinimum.reviewsOfOneRating} reviews.`,
  decisions:
    `From the question to the decision, of decisions in the last ${decisionFigureDays} days: the median, ` +
    'and the share within each number of hours. Decisions that a passed deadline makes by itself aren’t ' +
    'counted.',
  appeals:
    `All decided appeals since the club began. Below ${smallestCount} we say only “fewer than ` +
    `${smallestCount}”.`,
  ledger:
    'All entries: one more for every review given, one less for every review received, and those between a ' +
    'member and the club, which settle the balance of someone who left or came back, correct a mistake, or ' +
    'count a review after an appeal.',
  spread:
    'Each column counts active members by reviews given minus reviews received. A review that counts after ' +
    'an appeal was given.',
  // Over full weeks (UTC, from Monday).
  open: {
    weeks:
      'Hours from request to acceptance, without time on hold, by the week of the acceptance. A week with ' +
      `fewer than ${figureMinimum.exchanges} accepted requests has no figure.`,
    declines: 'Of the last four full weeks.',
    exchangesPerDay: 'Verified reviews of the last four full weeks, divided by 28.',
    largestBalance: 'The furthest that any member who takes part is from even.',
    reversePairs: 'Two members who each reviewed the other’s product within the last twelve full weeks.',
    circles: 'A reviewed B, B reviewed C, and C reviewed A, beside what chance alone would give.',
    beacon:
      'Requests of the last four full weeks into whose draw its value was mixed. The others were drawn ' +
      'without it.',
    ledger:
      'The head of the chain at the last seal of each month, with the entries until then and the sum of ' +
      'all of them.',
  },
}
