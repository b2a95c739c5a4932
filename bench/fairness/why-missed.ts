// Why goals of the rotation are missed, as the page says it: beside what, and at which price.
import { hours, list } from '#contract/format.ts'
import { relaxationHours, resumeHours } from '#contract/matching-rules.ts'
import type { Figures } from './figures.ts'
import { missedButReached, riseByHostile } from './goals.ts'
import { clubsOf } from './result.ts'
import type { Club, Kept } from './result.ts'
import { paragraph, percent, show, table } from './tables.ts'

/** The part of the page that says why goals are missed, and what other rules would do. */
export function whyMissed(kept: Kept[]): string[] {
  return [
    ...paragraph(
      'Balances count verified reviews alone, once on each day that counts, since one day alone differs by ' +
        `chance: on the last day ${list(kept.flatMap(shareOnLastDay))} were within ±1. ${onlyLastDay(kept)}` +
        'A member two ahead gave while a review for them was on its way, or for a request that had waited ' +
        'for a day. They are even again days later, when a review for them is verified.',
    ),
    '',
    ...paragraph(
      'Waits include the time in which a seller has received as many reviews as a member may, and the up ' +
        `to ${hours(resumeHours)} until the random moment after that, after a pause or after a review that ` +
        'lapsed: those requests are among the slowest.',
    ),
    '',
    ...paragraph(
      'A member may receive one review on credit, and one more or less when a run ends is chance. So a ' +
        'cohort counts as receiving more than the honest only by more than one review for each of its ' +
        'members. Some cohorts have two members, so that one run of them can end so by chance: in brackets ' +
        'stands what all runs together gave.',
    ),
    '',
    ...paragraph(
      'A request that too few could take is refused, and its seller asks again at the next visit: ' +
        `${list(kept.map(shareForFew))} of the times, about. The wait begins with the request that is taken.`,
    ),
    '',
    ...paragraph(
      'Each member asks whenever the rules allow it, so a club that answers sooner is asked for more: ' +
        'waiting times measure how much of what its people can give is asked for. A way of offering that ' +
        'cares about nothing but time, the first who comes, shows what can be reached on the same visits:',
    ),
    '',
    ...table(
      [
        'members',
        'wait p50, hours',
        'p99',
        'within ±1',
        'reviews per member and week',
        'median wait with a hostile fifth',
        'reaches, of what the draw misses',
      ],
      kept.map((result) => [
        String(result.size),
        show(result.soonest.wait.p50),
        show(result.soonest.wait.p99),
        percent(result.soonest.within1),
        show(result.soonest.perMemberAndWeek),
        `${show(1 + riseByHostile(result.soonest, result.soonestInHostile))} times`,
        missedButReached(result).join(', ') || 'nothing',
      ]),
    ),
    '',
    ...paragraph(
      'What the draw costs is its slate: at first a tenth of the members can be drawn for a request, and ' +
        'more with each minute, so that no one gets it by being here at the right moment.',
    ),
    '',
    ...costOfHostile(kept),
    ...paragraph(
      'The slowest requests wait for the giving cap: those who are here have given more than they received ' +
        'already. For the cap, a review counts as received when it is submitted, and for a request that ' +
        `has waited for ${hours(relaxationHours.bought)} when it is bought, or for ` +
        `${hours(relaxationHours.accepted)} when it is accepted. For all others the cap rises after ` +
        `${hours(relaxationHours.nothing)}. A cap that rises sooner shortens the wait, and lets more ` +
        'members be two ahead for some days. Tried with all other rules of 6cf923d0 in a club of 300, one ' +
        'ordinary and one hostile run of 60 days each:',
    ),
    '',
    ...table(
      ['bought, accepted', 'within ±1', 'wait p50, hours', 'p99', 'p50 with a hostile fifth', 'p99'],
      [
        ['1, 4', '99.0%', '1.19', '3.10', '1.39', '4.05'],
        ['1, 24', '99.03%', '1.20', '3.23', '–', '–'],
        ['2, 12', '99.47%', '1.36', '3.33', '–', '–'],
        ['3, 12', '99.73%', '1.53', '3.88', '1.89', '5.64'],
      ],
    ),
    '',
    ...paragraph(
      'With the last of them more members are even, all others wait longer, and a hostile fifth raises p99 ' +
        'by 45% instead of 31%. After 1, 3 and 18 hours, 97.91% of 100 members were within ±1 on the last ' +
        'day, and waited 2.01 hours and 8.67 (two runs, with the rules of 39c40268).',
    ),
    '',
    ...paragraph(
      'Two members may change sides once their window is over: with 20 members after 42 days, so a run of ' +
        'three months has such meetings. Their window was 80 days, and the cause of the longest waits.',
    ),
    '',
    ...paragraph(
      'Before, two members who could take a request were enough in a club of any size, 20 members had ' +
        'windows of 27 days, and members who were away were asked after a day. With that, 20 members ' +
        'waited 10.8 hours in the median and 176 at p99, 25 requests of six clubs for more than 7 days; ' +
        '95% were within ±1, each received 0.95 reviews a week on average, and asking was refused two ' +
        'times of three.',
    ),
    ...costOfSlate(kept),
  ]
}

const mean = (clubs: Club[], pick: (figures: Figures) => number) =>
  clubs.reduce((sum, { figures }) => sum + pick(figures), 0) / clubs.length

/** What a hostile fifth takes from the others: members who are not at the cap, and time. */
function costOfHostile(kept: Kept[]): string[] {
  const measured = kept.flatMap((one) =>
    one.hostile ? [clubsOf(one)].map((runs) => ({ ...one, runs })) : [],
  )
  if (measured.length === 0) return []
  return [
    ...paragraph(
      'A hostile fifth raises the wait of the others in each way. Balances add up to zero, so each member ' +
        'who takes the review on credit and gives none leaves the others one ahead for good: more of the ' +
        'honest are at the giving cap, and fewer of those who come may take a request. And an offer that ' +
        'is declined or not answered holds a request for a while: that matters more the faster others are ' +
        'answered. By the means of all runs, without and with the hostile fifth:',
    ),
    '',
    ...table(
      ['members', 'honest members at the cap', 'offers per acceptance', 'wait p50, hours', 'p99'],
      measured.map(({ size, runs: { ordinary, hostile } }) => {
        const each = (pick: (figures: Figures) => number, written: (value: number) => string) =>
          `${written(mean(ordinary, pick))} and ${written(mean(hostile, pick))}`
        return [
          String(size),
          each(({ atCap }) => atCap, percent),
          each(({ offersPerAcceptance }) => offersPerAcceptance, show),
          each(({ wait }) => wait.p50, show),
          each(({ wait }) => wait.p99, show),
        ]
      }),
    ),
    '',
  ]
}

/** Results of before balances were measured on each day have the last day alone. */
const hasDays = ({ product }: Kept) => typeof product.figures.within1AtEnd === 'number'

function shareOnLastDay(one: Kept): string[] {
  if (!hasDays(one)) return []
  const share = mean(clubsOf(one).ordinary, ({ within1AtEnd }) => within1AtEnd)
  return [`${percent(share)} of ${one.size} members`]
}

function onlyLastDay(kept: Kept[]): string {
  const sizes = kept.filter((one) => !hasDays(one)).map(({ size }) => String(size))
  return sizes.length === 0 ? '' : `With ${list(sizes)} members only the last day is known. `
}

/** How often asking was refused since too few could take the request; the refusals include the warm-up. */
function shareForFew({ size, days, warmUpDays, product: { figures } }: Kept) {
  const refused = new Map(figures.refusals).get('NO_MEMBER_AVAILABLE') ?? 0
  const taken = (figures.asked * days) / (days - warmUpDays)
  return `with ${size} members ${percent(refused / (refused + taken))}`
}

/** The first ordinary club of each size that also ran without a slate. */
function costOfSlate(kept: Kept[]): string[] {
  const measured = kept.flatMap((one) => (one.openSlate ? [{ ...one, openSlate: one.openSlate }] : []))
  if (measured.length === 0) return []
  return [
    '',
    ...paragraph(
      'The first club of a size once more with an open slate, so that everyone who is here can be drawn ' +
        'at once:',
    ),
    '',
    ...table(
      [
        'members',
        'p50, with and without the slate',
        'p99',
        'within ±1',
        'reviews per member and week',
        'code',
      ],
      measured.map(({ size, product: { figures }, openSlate }) => [
        String(size),
        both(figures.wait.p50, openSlate.figures.wait.p50),
        both(figures.wait.p99, openSlate.figures.wait.p99),
        `${percent(figures.within1)} and ${percent(openSlate.figures.within1)}`,
        both(figures.perMemberAndWeek, openSlate.figures.perMemberAndWeek),
        openSlate.commit,
      ]),
    ),
  ]
}

const both = (one: number, other: number) => `${show(one)} and ${show(other)}`
