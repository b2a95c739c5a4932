// Histories of one member and one request, for tests: everything by which the rotation decides whether the
// two may meet, and in plain TypeScript which rules keep them apart.
import fc from 'fast-check'
import type { DeclineReason, Receiving } from '#contract/matching-rules.ts'

const statements = {
  conflict: 'meet',
  household: 'meet',
  competitor: 'meet',
  'declared by the seller': 'meet',
  'one shop': 'meet',
  'shop declared': 'meet',
  'shop declaration that ended': null,
  'listing declared': 'meet',
  'listing declaration that ended': null,
  'declaration that ends': 'meet',
  'declaration that ended': null,
  'same card': 'meet',
  'same person': 'meet',
  'same former listing': null,
  owned: 'take',
  'sold before': 'take',
  'unusable format': 'take',
  'other format': null,
  'reported broken': 'take',
  'reported broken long ago': null,
  'unwanted product': 'take',
  'unwanted category': 'take',
  'mark that ends': 'take',
  'mark that ended': null,
} as const
export type Statement = keyof typeof statements

type Answer = {
  state: 'expired' | 'declined' | 'withdrawn' | 'for a declaration'
  reason: DeclineReason | null
  hours: number
}

/** What is so of the member and the request. Hours and days count from now; negative ones are past. */
export type History = {
  /** Of the request, in hours. */
  age: number
  /** Until when its seller has received enough. */
  waits: number | null
  /** Whether it is twelve hours ahead in the queue, which makes it no older. */
  ahead: boolean
  /** Of the age of a successor, the hours in which it did not wait. Null: it is no successor. */
  idle: number | null
  /** Whether a request of four days waits too, which the member may not take. */
  crowded: boolean
  standing: 'in' | 'paused' | 'suspended' | 'unpaid'
  here: 'here' | 'left' | 'away' | 'standby'
  /** Hours since the last visit of a member who is not here. */
  seen: number
  /** Given and being given, less received. */
  gross: number
  /** How far a review for the member is. */
  receiving: Receiving
  busy: boolean
  cooldown: number | null
  rest: number | null
  quiet: { from: number; until: number } | null
  /** Until the purchase of a review that the member is writing is due. */
  purchase: number | null
  pair: { days: number; memberReviewed: boolean } | 'held' | null
  reviewed: 'written' | 'bought and lapsed' | 'lapsed' | null
  asked: Answer | null
  stated: Statement | null
  /** Whether the marketplace of all products is closed. */
  closed: boolean
}

/** Nothing keeps the two apart. */
const plain: History = {
  age: 1,
  waits: null,
  ahead: false,
  idle: null,
  crowded: false,
  standing: 'in',
  here: 'here',
  seen: 0.1,
  gross: 0,
  receiving: 'nothing',
  busy: false,
  cooldown: null,
  rest: null,
  quiet: null,
  purchase: null,
  pair: null,
  reviewed: null,
  asked: null,
  stated: null,
  closed: false,
}

/** The pair window in days while these histories are tried. */
export const windowDays = { same: 20, reverse: 45 }

const asked = (state: Answer['state'], hours: number, reason: DeclineReason | null = null) => ({
  asked: { state, hours, reason },
})

/** Each rule at both sides of its border. */
const borders: Partial<History>[] = [
  {},
  ...[0.4, 0.6].map((age) => ({ here: 'away', age }) as const),
  { waits: 1 },
  { waits: -1 },
  { standing: 'paused' },
  { standing: 'suspended' },
  { standing: 'unpaid' },
  ...[71, 73, 95, 97].map((age) => ({ here: 'away', age }) as const),
  ...[71, 73].map((age) => ({ here: 'left', age }) as const),
  ...[73, 95, 97].map((age) => ({ here: 'standby', age }) as const),
  ...[71, 73].map((age) => ({ here: 'away', age, ahead: true }) as const),
  ...[71, 73].map((seen) => ({ here: 'away', seen, age: 80 }) as const),
  ...[23, 25].map((seen) => ({ here: 'away', seen, age: 98 }) as const),
  { here: 'away', age: 73, idle: 0 },
  { gross: 1, age: 25, idle: 0 },
  ...[71, 73].map((waited) => ({ here: 'away', age: waited + 100, idle: 100 }) as const),
  ...[23.9, 24.1].map((waited) => ({ gross: 1, age: waited + 168, idle: 168 })),
  ...[23.9, 24.1].flatMap((age) => [
    { gross: 1, age },
    { gross: 1, age, crowded: true },
  ]),
  ...[0.9, 1.1].flatMap((age) => [
    { gross: 1, age, receiving: 'bought' } as const,
    { gross: 1, age, receiving: 'bought', crowded: true } as const,
    { gross: 2, age, receiving: 'bought' } as const,
  ]),
  ...[0.9, 1.1].map((waited) => ({ gross: 1, age: waited + 168, idle: 168, receiving: 'bought' }) as const),
  ...[0.1, 23.9].flatMap((age) => [
    { gross: 1, age, receiving: 'submitted' } as const,
    { gross: 1, age, receiving: 'submitted', crowded: true } as const,
    { gross: 2, age, receiving: 'submitted' } as const,
  ]),
  ...[3.9, 4.1].map((age) => ({ gross: 1, age, receiving: 'accepted' }) as const),
  ...[1.1, 4.1].map((age) => ({ gross: 1, age })),
  ...[47.9, 48.1].map((age) => ({ gross: 2, age, receiving: 'submitted' }) as const),
  ...[47.9, 48.1].map((age) => ({ gross: 2, age, crowded: true })),
  ...[95.9, 96.1].map((age) => ({ gross: 3, age })),
  { gross: 4, age: 190 },
  { busy: true },
  { closed: true },
  ...[-1, 1, 23, 25].flatMap((hours) => [{ cooldown: hours }, { rest: hours }]),
  ...[-1, 1, 23, 25].map((until) => ({ quiet: { from: -2, until } })),
  { quiet: { from: 1, until: 30 } },
  { purchase: -1 },
  { purchase: 1 },
  { pair: 'held' },
  ...[13, 15, 19, 21, 44].map((days) => ({ pair: { days, memberReviewed: true } })),
  ...[21, 27, 29, 44, 46].map((days) => ({ pair: { days, memberReviewed: false } })),
  { reviewed: 'written' },
  { reviewed: 'bought and lapsed' },
  { reviewed: 'lapsed' },
  ...[23, 25].map((hours) => asked('expired', hours)),
  ...[71, 73].flatMap((hours) => [asked('declined', hours, 'busy'), asked('declined', hours)]),
  ...[73, 9000].flatMap((hours) => [
    asked('declined', hours, 'similar'),
    asked('declined', hours, 'not_relevant'),
  ]),
  asked('withdrawn', 1),
  ...[71, 73].map((hours) => asked('for a declaration', hours)),
  ...Object.keys(statements).map((stated) => ({ stated: stated as Statement })),
]

export const examples = borders.map((border): [History] => [{ ...plain, ...border }])

/** Histories in which most is plain, so that often one rule decides alone. */
export const histories: fc.Arbitrary<History> = fc.record(
  Object.fromEntries(
    Object.entries(plain).map(([key, usual]) => {
      const values = borders.flatMap((border) => (key in border ? [border[key as keyof History]] : []))
      return [
        key,
        fc.oneof(
          { weight: 8, arbitrary: fc.constant(usual) },
          { weight: 1, arbitrary: fc.constantFrom(usual, ...values) },
        ),
      ]
    }),
  ),
) as fc.Arbitrary<History>

export type Bar =
  | 'part'
  | 'presence'
  | 'cap'
  | 'busy'
  | 'cooldown'
  | 'rest'
  | 'quiet'
  | 'overdue'
  | 'pair'
  | 'reviewed'
  | 'asked'
  | 'meet'
  | 'take'
  | 'waits'
  | 'closed'

/** No request was idle for longer than it is old. */
export function idleOf({ age, idle }: History) {
  return Math.min(age, idle ?? 0)
}

/** The rules that keep this member from being drawn for this request. */
export function barsOf(history: History): Bar[] {
  const { age, waits, standing, here, seen, gross, busy, cooldown, rest, quiet, purchase } = history
  const waited = age - idleOf(history)
  const { receiving } = history
  const early =
    receiving === 'submitted' ||
    (receiving === 'bought' && waited >= 1) ||
    (receiving === 'accepted' && waited >= 4)
  const relaxed = waited < 24 ? Number(early) : 1 + Math.floor(Math.log2(waited / 24))
  const from = here === 'here' ? 0 : here === 'standby' || (here === 'away' && seen > 72) ? 96 : 72
  const { pair, reviewed, stated } = history
  const bars: [Bar, boolean][] = [
    ['part', standing !== 'in'],
    ['presence', waited < from],
    ['cap', gross >= 1 + relaxed],
    ['busy', busy],
    ['cooldown', (cooldown ?? 0) > 0],
    ['rest', (rest ?? 0) > 0],
    ['quiet', quiet !== null && quiet.from < 0 && quiet.until > 0],
    ['overdue', purchase !== null && purchase < 0],
    ['pair', pair === 'held' || (pair !== null && isWithin(pair))],
    ['reviewed', reviewed === 'written' || reviewed === 'bought and lapsed'],
    ['asked', wasAsked(history)],
    ['meet', stated !== null && statements[stated] === 'meet'],
    ['take', stated !== null && statements[stated] === 'take'],
    ['waits', (waits ?? 0) > 0],
    ['closed', history.closed],
  ]
  return bars.filter(([, bars]) => bars).map(([bar]) => bar)
}

/** Whether the two met within this window, at first that of the hour. */
export function isWithin(
  { days, memberReviewed }: { days: number; memberReviewed: boolean },
  { same, reverse } = windowDays,
) {
  return days < (memberReviewed ? same : reverse)
}

function wasAsked({ asked }: History) {
  if (!asked) return false
  const { state, reason, hours } = asked
  if (state === 'expired') return hours < 24
  if (state === 'withdrawn') return false
  return hours < 72 || reason === 'similar' || reason === 'not_relevant'
}
