// When a large club runs its passes: as the product's timers would, and after a change. With thousands of
// members nearly every pass finds something, so working out which one could costs more than running it.
import type { Clock } from './clock.ts'
import { minuteMs } from './people.ts'

/** Changes within so many milliseconds of a pass wait for the next minute. */
const gapMs = 15_000

export class Rounds {
  readonly #clock: Clock
  #lastRun = Number.NEGATIVE_INFINITY
  #lastNudge = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  nextNudge(): number {
    return this.#lastNudge + minuteMs
  }

  noteNudges() {
    this.#lastNudge = this.#clock.now
  }

  async next(): Promise<number> {
    return Math.max(this.#lastRun + gapMs, this.#clock.now)
  }

  async noteRun() {
    this.#lastRun = this.#clock.now
  }
}
