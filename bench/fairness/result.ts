// What is known about the clubs of one size.
import type { Figures } from './figures.ts'
import type { Span } from './simulation.ts'

export type Club = { figures: Figures; breaches: { invariant: string; rows: number }[]; seconds: number }
/** The same people on the same visits, offered reviews in simpler ways. */
export type SimplerWays = {
  fifo: Figures
  random: Figures
  /** Offers to the first who comes; the second is of the others in the hostile club. */
  soonest: Figures
  soonestInHostile: Figures
}
export type SizeResult = Span &
  SimplerWays & {
    size: number
    product: Club
    /** The same club with other people and other luck: further seeds. */
    others: (Club & { seed: number })[]
    /** A fifth of its people are hostile or unusual; its waits are of the others. Null until it has run. */
    hostile: Club | null
    /** The first ordinary club with every member drawable at once, and the code that ran it. */
    openSlate?: Club & { commit: string }
    /** The hostile club of further seeds, as far as they have run. */
    hostileOthers?: (Club & { seed: number })[]
  }

/**
 * What is kept of a size. `commit`: the code that the club ran. `hostileCommit`: of the hostile club, where
 * that was measured apart.
 */
export type Kept = SizeResult & { day: string; commit: string; hostileCommit?: string }

/** All runs of the ordinary club, and of the hostile one as far as it has run. */
export function clubsOf({ product, others, hostile, hostileOthers = [] }: SizeResult) {
  return { ordinary: [product, ...others], hostile: hostile ? [hostile, ...hostileOthers] : [] }
}
