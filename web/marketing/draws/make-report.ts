// Checks a receipt with the functions that the club draws with, and says each step in plain English. The
// steps stand in the order in which things happened; after one that fails, the rest counts as unchecked.
import { checkBeacon, isPublic } from '#contract/beacon-check.ts'
import { publicBeacon, roundAddress } from '#contract/beacon.ts'
import {
  bytesOf,
  checkAsked,
  checkDays,
  checkDraw,
  checkKept,
  checkPasses,
  drawBeaconOf,
  hexOf,
  isAfterItsDay,
  mayBeDeleted,
  revealedTooSoon,
} from '#contract/draw-receipt.ts'
import type { DayFile, DayList, DrawReceipt } from '#contract/draw-receipt.ts'
import { lotteryKey, sha256, ticketCommitment, ticketSecret } from '#contract/draw.ts'
import type { CheckedOffer, SkipReason, SlateRule } from '#contract/draw.ts'
import { count, minutes, number, percent } from '#contract/format.ts'
import type { KeptDraw } from '#contract/kept-draws.ts'
import { revealHours } from '#contract/matching-rules.ts'
import { dayName, moment } from './report.ts'
import type { DrawReport, Lottery, OwnNumber, Report, ReportPlace, Step, Verdict } from './report.ts'

type Given = {
  receipt: DrawReceipt
  /** The public list; null when it could not be loaded, or is that of another club. */
  days: DayList | null
  dayFiles: DayFile[]
  /** What this browser kept when it asked. */
  kept: KeptDraw | null
  own: OwnNumber | null
  /** The moment of the check, in milliseconds since 1970; now when it is left out. */
  now?: number
}

/** A step before it is known whether those before it hold. */
type Found = { name: string; title: string; ok: boolean | null; text: string; values?: Step['values'] }

/** Checks every step of a receipt. */
export function makeReport(given: Given): Report {
  const whole = { ...given, receipt: withPublishedSecret(given) }
  const { receipt } = whole
  const found = { ticket: ticketSteps(whole), draws: receipt.draws.map((_, at) => drawSteps(whole, at)) }
  let failed = false
  const settle = (steps: Found[]) => steps.map(toStep)
  const ticket = settle(found.ticket)
  const draws = found.draws.map(({ at, steps, lottery }): DrawReport => {
    const settled = settle(steps)
    return { at, steps: settled, lottery: failed ? null : lottery }
  })
  const all = [...ticket, ...draws.flatMap(({ steps }) => steps)]
  const verdict = verdictOf(
    all,
    receipt.draws.length === 0
      ? 'This request has no draw so far. If it still waits, open this page again after its first offer.'
      : receipt.daySecret === null
        ? `The rest needs the day’s secret, which is published from ${revealOf(receipt.ticket.day)}.`
        : 'Steps we can’t check say why.',
    receipt.draws.length === 0,
  )
  return { verdict, side: receipt.side, request: receipt.request, ticket, draws }

  function toStep({ name, title, ok, text, values = [] }: Found): Step {
    if (failed)
      return { name, title, state: 'unchecked', text: 'Not checked: a step before it failed.', values: [] }
    failed = ok === false
    return { name, title, state: ok === null ? 'later' : ok ? 'holds' : 'fails', text, values }
  }
}

/** Sums up the steps. `openText`: what is said while something is open; `waits`: it is, besides the steps. */
export function verdictOf(steps: readonly Step[], openText: string, waits = false): Verdict {
  const failing = steps.find(({ state }) => state === 'fails')
  if (failing) return { state: 'fails', title: `This step failed: “${failing.title}”`, text: failing.text }
  if (waits || steps.some(({ state }) => state === 'later'))
    return { state: 'later', title: 'Nothing wrong so far', text: openText }
  return {
    state: 'holds',
    title: 'Every step holds',
    text: `All ${steps.length} steps were computed again in this browser, and nothing was found wrong.`,
  }
}

/** A receipt that was saved before the secret was published gets it from the public list. */
function withPublishedSecret({ receipt, days }: Given): DrawReceipt {
  if (receipt.daySecret !== null) return receipt
  const value = publishedOf(days, receipt.ticket.day, 'revealed')?.value.slice(0, 64)
  const fits = value !== undefined && hexOf(sha256(bytesOf(value))) === receipt.ticket.dayHash
  return fits ? { ...receipt, daySecret: value } : receipt
}

function publishedOf(days: DayList | null, day: string, kind: 'committed' | 'revealed') {
  return days?.records.find((record) => record.day === day && record.kind === kind)
}

// Before the draw.

function ticketSteps(given: Given): Found[] {
  const { receipt, kept } = given
  return [
    ...listSteps(given),
    { ...checkAsked(receipt), title: 'The ticket is of that day' },
    ...(kept ? [{ ...checkKept(receipt, kept), title: 'What this browser kept', values: [] }] : []),
    ...beaconSteps(receipt),
    ...secretSteps(given),
  ]
}

/** What the public beacon added, with where to compare it. */
function beaconSteps(receipt: DrawReceipt): Found[] {
  const { beacon } = receipt
  if (!beacon) return []
  const [round, value] = checkBeacon(receipt)
  const { chain, from, signature, randomness } = beacon
  const address = roundAddress(publicBeacon, chain, beacon.round)
  return [
    ...(round
      ? [
          {
            ...round,
            title: 'The round of the public beacon',
            values: [
              { name: 'Ticket used', value: moment(from) },
              { name: 'Chain of the beacon', value: chain.hash },
            ],
          },
        ]
      : []),
    ...(value
      ? [
          {
            ...value,
            title: signature === null ? 'No value of the beacon' : 'The value of the public beacon',
            values: [
              ...(randomness === null ? [] : [{ name: 'Random value', value: randomness }]),
              ...(isPublic(chain) ? [{ name: 'Compare with', value: address, href: address }] : []),
            ],
          },
        ]
      : []),
  ]
}

function listSteps({ receipt, days }: Given): Found[] {
  const title = 'The public list is unbroken'
  if (!days) {
    const text = 'The club’s public list could not be loaded, so the receipt can’t be compared with it now.'
    return [{ name: 'list_chain', title, ok: null, text }]
  }
  const [list, begins, committed] = ['list_chain', 'list_head', 'list_commitment'].map((name) =>
    checkDays(receipt, days).find((step) => step.name === name),
  )
  const { ticket } = receipt
  const record = publishedOf(days, ticket.day, 'committed')
  return [
    ...(list ? [{ ...list, title }] : []),
    ...(begins ? [{ ...begins, title: 'The list is the one from then' }] : []),
    ...(committed
      ? [
          {
            ...committed,
            title: 'The day’s secret was fixed before the request',
            text:
              committed.ok && record
                ? `${committed.text} It is in the list since ${moment(record.at)}.`
                : committed.text,
            values: [{ name: `Hash of the secret of ${dayName(ticket.day)}`, value: ticket.dayHash }],
          },
        ]
      : []),
  ]
}

function secretSteps({ receipt, days, now = Date.now() }: Given): Found[] {
  const { ticket, daySecret, nonce } = receipt
  if (daySecret === null) {
    const isWithheld = days !== null && now > revealAt(ticket.day) + overdueMs
    const text = isWithheld
      ? `It should have been published from ${revealOf(ticket.day)}, and the public list still doesn’t ` +
        'hold it. Without it no one can check this draw. Please write to us.'
      : `The secret of ${dayName(ticket.day)} is published from ${revealOf(ticket.day)}.`
    const published = isWithheld ? false : null
    return steps(published, null, null, null, { published: text, match: text, commitment: text, key: text })
  }
  const published = publishedOf(days, ticket.day, 'revealed')
  const secret = ticketSecret(bytesOf(daySecret), BigInt(ticket.number))
  const isTooSoon = published !== undefined && !isAfterItsDay(published)
  const isPublished = published
    ? published.value.slice(0, 64) === daySecret && !isTooSoon
    : days
      ? false
      : null
  const matches = hexOf(sha256(bytesOf(daySecret))) === ticket.dayHash
  const isCommitted = hexOf(ticketCommitment(secret)) === ticket.commitment
  const beacon = drawBeaconOf(receipt)
  const key = hexOf(lotteryKey(bytesOf(daySecret), BigInt(ticket.number), bytesOf(nonce), beacon))
  return steps(isPublished, matches, isCommitted, true, {
    published: published
      ? isPublished
        ? `The club published it ${moment(published.at)}, and it is the one that this check uses.`
        : isTooSoon
          ? revealedTooSoon
          : 'The secret in this receipt isn’t the one that the club published.'
      : days
        ? 'This receipt has a secret that the public list doesn’t hold.'
        : 'This needs the public list, which could not be loaded.',
    match: matches
      ? 'Hashing the secret gives the hash that was published before. So the club didn’t change it later.'
      : 'Hashing the secret gives a different hash from the one that was published before.',
    commitment: isCommitted
      ? 'Each request has a numbered ticket, whose secret follows from the day’s. That of ticket ' +
        `${ticket.number} gives the commitment that the seller’s browser got before it sent its own ` +
        'random number.'
      : 'The day’s secret and the ticket’s number give another commitment than the one in this receipt.',
    key: beacon?.signature
      ? 'It is made of the ticket’s secret, the random number of the seller’s browser and the value of the ' +
        'public beacon. When both sides had fixed theirs, no one knew the beacon’s.'
      : 'It is made of the ticket’s secret and the random number of the seller’s browser, so neither side ' +
        'could choose it.',
    values: { secret: daySecret, commitment: ticket.commitment, nonce, key },
  })

  function steps(
    published: boolean | null,
    match: boolean | null,
    commitment: boolean | null,
    key: boolean | null,
    texts: {
      published: string
      match: string
      commitment: string
      key: string
      values?: { secret: string; commitment: string; nonce: string; key: string }
    },
  ): Found[] {
    const { values } = texts
    return [
      {
        name: 'list_secret',
        title: 'The day’s secret is published',
        ok: published,
        text: texts.published,
        values: values ? [{ name: 'Secret', value: values.secret }] : [],
      },
      { name: 'day_secret', title: 'The secret matches its hash', ok: match, text: texts.match },
      {
        name: 'commitment',
        title: 'The ticket was fixed first',
        ok: commitment,
        text: texts.commitment,
        values: values ? [{ name: 'Commitment', value: values.commitment }] : [],
      },
      {
        name: 'key',
        title: 'The key of the lottery',
        ok: key,
        text: texts.key,
        values: values
          ? [
              { name: 'The browser’s random number', value: values.nonce },
              { name: 'Key', value: values.key },
            ]
          : [],
      },
    ]
  }
}

// A draw.

type FoundDraw = { at: string; steps: Found[]; lottery: Lottery | null }

function drawSteps(given: Given, at: number): FoundDraw {
  const { receipt, own } = given
  const draw = receipt.draws[at]!
  const offer = checkDraw(receipt, at)
  if (!offer) return withoutList(draw.pass.at, mayBeDeleted(draw.pass, given.now ?? Date.now()))
  const mine = ownPlace(offer, own, draw.pass.at)
  const lottery = lotteryOf(receipt, at, offer, mine)
  return {
    at: draw.pass.at,
    steps: [
      ...partStep(offer),
      ...passSteps(given, at, offer),
      ...winnerSteps(receipt, at, offer, mine),
      ...lotterySteps(receipt, at, offer, lottery),
      ...ownStep(receipt, at, offer, own, mine),
    ],
    lottery,
  }
}

function withoutList(at: string, isOld: boolean): FoundDraw {
  const step = isOld
    ? {
        title: 'The list was deleted',
        ok: null,
        text:
          'The club deletes lists after half a year. A receipt that was saved before then still holds it, ' +
          'and this one doesn’t.',
      }
    : {
        title: 'The list is there',
        ok: false,
        text:
          'The list of this draw is missing. The club keeps lists for half a year, so it was taken out of ' +
          'this receipt. Without it nothing shows who could be drawn.',
      }
  return { at, steps: [{ name: 'parts', ...step }], lottery: null }
}

function partStep({ checks }: CheckedOffer): Found[] {
  if (checks.parts) return []
  const text = 'A part of the receipt is too short or too long.'
  return [{ name: 'parts', title: 'The parts have the right size', ok: false, text }]
}

function passSteps(
  { receipt, days, dayFiles }: Given,
  at: number,
  { checks, window }: CheckedOffer,
): Found[] {
  const { pass } = receipt.draws[at]!
  const day = pass.at.slice(0, 10)
  const file = dayFiles.find((one) => one.day === day)
  const published = days && file ? checkPasses(pass, file, days) : null
  return [
    {
      name: 'chain',
      title: 'The run of the draw is unchanged',
      ok: checks.chain,
      text: checks.chain
        ? 'A run draws for one or several requests at once. Its hash covers the time, the list, the ' +
          'cut-off, the slate, every draw and the hash of the ' +
          `run before. It is run ${number(pass.number)} of its chain.`
        : 'Its hash doesn’t fit. The time, the list, the cut-off, the slate, ' +
          'a draw or the hash before it was changed.',
      values: [
        { name: 'Hash', value: pass.hash },
        {
          name: 'Hash of the run before',
          value: pass.previousHash ?? 'None: it is the first of its chain',
        },
      ],
    },
    {
      name: 'passes',
      title: 'The run is among the published ones',
      ok: published?.ok ?? null,
      text:
        published && published.ok !== null
          ? published.text
          : days && publishedOf(days, day, 'revealed')
            ? `The published runs of ${dayName(day)} could not be loaded.`
            : `The runs of ${dayName(day)} are published from ${revealOf(day)}.`,
    },
    {
      name: 'window',
      title: 'The list is complete in itself',
      ok: checks.window,
      text: checks.window
        ? `${count(window.length, 'member')} could be drawn, in the order of the rotation. Groups up to 4 ` +
          'had received more than they gave, group 5 was even, and those above had given more. ' +
          (pass.cut
            ? `It was cut off after group ${pass.cut.band + 1}, ` +
              `in order of waiting since ${moment(pass.cut.turn)}.`
            : 'No one was cut off: by its own account it has every member who could be asked and whom no ' +
              'other draw held. A receipt can’t show who isn’t in it; “Was I left out?” can.')
        : 'The list contradicts the run: the counts, the order or the cut-off don’t agree.',
    },
    ...(pass.slate ? [slateRuleStep(pass.slate, receipt.slate)] : []),
  ]
}

/** A club may change its rule, so another one is no fault, but it is not what the receipt says either. */
function slateRuleStep(stated: SlateRule, rule: SlateRule): Found {
  const isRule = stated.start === rule.start && stated.doublingMs === rule.doublingMs
  const first = `The run states that a request was open to ${asText(stated)}.`
  return {
    name: 'slate_rule',
    title: 'The share of the club that could be drawn',
    ok: isRule ? true : null,
    text: isRule
      ? `${first} That’s the club’s rule.`
      : `${first} The club’s rule was another one when this receipt was made: ` +
        `${asText(rule)}. Ask us when it changed.`,
  }
}

function asText({ start, doublingMs }: SlateRule): string {
  if (start === 1) return 'the whole club'
  return `${percent(start)} of the club at first, doubling every ${minutes(doublingMs / 60_000)}`
}

function winnerSteps(
  receipt: DrawReceipt,
  at: number,
  { checks, window }: CheckedOffer,
  mine: number | null,
): Found[] {
  const { slot } = receipt.draws[at]!
  return [
    {
      name: 'winner',
      title: mine === slot ? 'The offer was yours' : 'Who got the offer',
      ok: checks.winner,
      text: checks.winner
        ? `It went to place ${slot + 1} of ${window.length}. ` +
          'The list has numbers that change every week, no names.'
        : 'The number that got the offer isn’t the one at this place of the list.',
    },
    {
      name: 'draw',
      title: 'The draw is the recorded one',
      ok: checks.draw,
      text: checks.draw
        ? 'The random number, the time of the request, the winner and each reason are those of the run.'
        : 'The run holds another draw: the random number, the winner, the time of the request, the ' +
          `commitment, ${receipt.beacon ? 'the beacon’s round or value, ' : ''}or a reason was changed.`,
      values: [{ name: 'Request made', value: moment(receipt.askedAt) }],
    },
    ...(checks.time
      ? []
      : [
          {
            name: 'time',
            title: 'The draw came after the request',
            ok: false,
            text: 'The draw is dated before the request that it was for.',
          },
        ]),
  ]
}

function lotterySteps(
  receipt: DrawReceipt,
  at: number,
  { checks, window }: CheckedOffer,
  lottery: Lottery | null,
): Found[] {
  const { slot, pass } = receipt.draws[at]!
  const age = Math.max(0, Date.parse(pass.at) - Date.parse(receipt.askedAt))
  const wait = 'This needs the day’s secret.'
  const inside = lottery ? lottery.values.filter((value) => value < lottery.share).length : 0
  const value = lottery ? shown(lottery.values[slot]!) : ''
  const size = lottery ? percent(lottery.share) : ''
  const better = lottery?.passed.length ?? 0
  const excused = new Set(receipt.draws[at]!.skipped.map((skipped) => skipped.slot))
  const elsewhere = lottery?.passed.filter((place) => !excused.has(place)).length ?? 0
  return [
    {
      name: 'values',
      title: 'Each member’s lottery value',
      ok: lottery ? true : null,
      text: lottery
        ? `The key gives each of the ${window.length} numbers a value from 0 to 1. The winner’s is ${value}.`
        : wait,
    },
    {
      name: 'slate',
      title: 'The slate',
      ok: checks.slate,
      text: !lottery
        ? wait
        : checks.slate
          ? `After ${duration(age)} the request was open to ${size} of the club, so to values below ` +
            `${shown(lottery.share)}: ${inside} of ${window.length}. The winner was one of them.`
          : `After ${duration(age)} the request was open to ${size} of the club, and the winner’s value ` +
            `${value} is outside.`,
    },
    {
      name: 'no_one_skipped',
      title: 'Who came before',
      ok: checks.no_one_skipped,
      text: !lottery
        ? wait
        : !checks.no_one_skipped
          ? 'A member in the slate who came before the winner got no offer, and the run has no reason why.'
          : better === 0
            ? 'No one in the slate came before the winner.'
            : `${count(better, 'member')} in the slate came before the winner: ` +
              `${number(elsewhere)} drawn for another request of the same run, and ` +
              `${number(better - elsewhere)} left out for a reason. A reason is the club’s word: no ` +
              'receipt can show that it’s true.',
    },
  ]
}

function ownPlace({ window }: CheckedOffer, own: OwnNumber | null, at: string): number | null {
  if (!own || !isInWeek(own, at)) return null
  const found = window.findIndex((place) => hexOf(place.number) === own.number)
  return found === -1 ? null : found
}

export function isInWeek(own: OwnNumber, at: string): boolean {
  const time = Date.parse(at)
  return time >= Date.parse(own.from) && time < Date.parse(own.until)
}

function ownStep(
  { side, draws }: DrawReceipt,
  at: number,
  { window }: CheckedOffer,
  own: OwnNumber | null,
  mine: number | null,
): Found[] {
  const { slot, pass } = draws[at]!
  // Numbers change every week: in a list of another week no one finds theirs.
  if (!own || !isInWeek(own, pass.at)) return []
  const title = 'Your number'
  const values = [{ name: 'Your number this week', value: own.number }]
  // No hash covers the side of a receipt.
  if (side === 'reviewer' && mine !== slot) {
    const text =
      'Another number than yours got the offer. This is the receipt of someone else, or its side was changed.'
    return [{ name: 'own', title, ok: null, text, values }]
  }
  const cut = pass.cut ? ', or your place was behind the cut-off' : ''
  const text =
    mine === null
      ? `Your number isn’t in this list: it’s your own request, or you couldn’t be asked then${cut}.`
      : `Your number is in the list, at place ${mine + 1} of ${window.length}` +
        (side === 'seller' ? ', which is that of all requests of the run. Your own never goes to you.' : '.')
  return [{ name: 'own', title, ok: true, text, values }]
}

// The places, for the picture and the table.

const mostPlaces = 12

function lotteryOf(
  receipt: DrawReceipt,
  at: number,
  { window, lottery }: CheckedOffer,
  mine: number | null,
): Lottery | null {
  if (!lottery) return null
  const { slot, pass, skipped } = receipt.draws[at]!
  const { share, values, better } = lottery
  const score = (place: number) => (window[place]?.band ?? 0) + (values[place] ?? 1)
  const byScore = (one: number, other: number) => score(one) - score(other) || one - other
  const passed = better.toSorted(byScore)
  const isPassed = new Set(passed)
  const after = [...window.keys()]
    .filter((place) => place !== slot && !isPassed.has(place) && values[place]! < share)
    .toSorted(byScore)
    .slice(0, 3)
  const reasons = new Map(skipped.map((place) => [place.slot, place.reason]))
  const drawn = new Set(pass.draws.map((draw) => draw.slot))
  const row = (place: number, outcome: ReportPlace['outcome'], text: string): ReportPlace => ({
    place: place + 1,
    group: (window[place]?.band ?? 0) + 1,
    value: values[place] ?? 0,
    outcome,
    text,
    mine: place === mine,
  })
  return {
    share,
    groups: window.map(({ band }) => band + 1),
    values,
    winner: slot,
    passed,
    mine,
    more: Math.max(0, passed.length - mostPlaces),
    places: [
      ...passed.slice(0, mostPlaces).map((place) => row(place, 'passed', reasonOf(place))),
      ...(slot < window.length ? [row(slot, 'winner', 'Got the offer')] : []),
      ...after.map((place) => row(place, 'after', isOwn(place) ? ownRequest : 'Would have come later')),
    ],
  }

  function isOwn(place: number): boolean {
    return place === mine && receipt.side === 'seller'
  }

  function reasonOf(place: number): string {
    const reason = reasons.get(place)
    if (reason) return reasonText(reason, receipt.side)
    return drawn.has(place) ? 'Got another request of the same run' : 'No reason is recorded'
  }
}

const ownRequest = 'It’s your own request'

/** A reviewer does not read which place is the seller's own. */
function reasonText(reason: SkipReason, side: DrawReceipt['side']): string {
  const hides = side === 'reviewer' && (reason === 'own_product' || reason === 'reviewed_before')
  return hides ? 'Couldn’t review this product' : reasonTexts[reason]
}

const reasonTexts: Record<SkipReason, string> = {
  own_product: 'It is their own product',
  paired_before: 'Met the seller not long ago',
  reviewed_before: 'Has reviewed or bought this product',
  paired_in_pass: 'Met the seller in the same draw',
  over_cap: 'Too far ahead, or has an overdue review',
  asked_recently: 'Was offered this product not long ago',
  conflict: 'Must not be matched with the seller',
  cannot_take: 'Said that they can’t or don’t want to take it',
  circle: 'It would have closed a circle of three',
  ruled_out: 'Couldn’t review this product',
}

// Texts.

/** When the secret of a day is published, with the reader's zone. */
export function revealOf(day: string): string {
  return moment(new Date(revealAt(day)).toISOString())
}

function revealAt(day: string): number {
  return Date.parse(day) + (24 + revealHours) * 3_600_000
}

/** A secret that is so late is withheld: a club that was down publishes it as soon as it is up. */
const overdueMs = 24 * 3_600_000

function shown(value: number): string {
  return value.toFixed(4)
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return count(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day')
}
