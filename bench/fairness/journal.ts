// What happened in a simulated club, whatever drew. The figures are made from it alone.
import type { Person } from './people.ts'
import { noReasons } from './reasons.ts'
import type { Reasons } from './reasons.ts'

/** One request for a review. Moments are milliseconds from the start. */
export type Asked = {
  seller: number
  at: number
  /** Time during which the seller's pause held it, and the start of a pause that lasts. */
  heldMs: number
  heldSince: number | null
  acceptedAt: number | null
  /** Cancelled before a member accepted it: its seller left. */
  cancelled: boolean
}

export type Exchange = {
  seller: number
  reviewer: number
  /** When it was offered and when it was accepted. */
  offeredAt: number
  at: number
  verifiedAt: number | null
  lapsedAt: number | null
}

export type Journal = {
  people: Person[]
  /** Until when the club ran, and from when its figures count. */
  endsAt: number
  countsFrom: number
  asked: Asked[]
  exchanges: Exchange[]
  /** When offers were made, and how they ended. */
  offers: { at: number; reviewer: number }[]
  declines: number
  expiries: number
  visits: number
  /** Visits that a mail brought. */
  mailVisits: number
  nudges: number
  /** Of the offers made to members who were present, the share that they answered. */
  answeredInSession: { answered: number; of: number }
  /** The pair windows in days that applied, oldest first; null is forever. */
  windows: { at: number; same: number | null; reverse: number | null }[]
  /** Answers that the product refused, by code. */
  refusals: Map<string, number>
  /** What long waits find, in the days that count. */
  reasons: Reasons
  /** Honest members at the giving cap, summed over a look on each day that counts. Models don’t look. */
  atCap: { count: number; of: number }
}

export function openJournal(people: Person[], endsAt: number, countsFrom: number): Journal {
  return {
    people,
    endsAt,
    countsFrom,
    asked: [],
    exchanges: [],
    offers: [],
    declines: 0,
    expiries: 0,
    visits: 0,
    mailVisits: 0,
    nudges: 0,
    answeredInSession: { answered: 0, of: 0 },
    windows: [{ at: 0, same: 14, reverse: 14 }],
    refusals: new Map(),
    reasons: noReasons(),
    atCap: { count: 0, of: 0 },
  }
}
