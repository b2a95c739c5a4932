// What each load has to reach, and why this bench may miss it.
import { quantile } from '../measure.ts'
import type { Outcome } from './generator.ts'

export type Target = {
  /** As the table shows it. */
  text: string
  /** `asked`: requests a second. */
  isMet: (outcome: Outcome, asked: number) => boolean
  whyMissed: string
}

const sharedCores =
  'the generator, both web processes, the worker and PostgreSQL share the cores here, while the target is ' +
  'for a generator elsewhere'

/** 99.9% are answered, otherwise than with a refusal, and 99% of them within these milliseconds. */
export function within(ms: number): Target {
  return {
    text: `p99 ${ms}`,
    isMet: (outcome, asked) =>
      (outcome.served.length + outcome.others.length) / outcome.seconds >= asked * 0.999 &&
      quantile(outcome.served, 0.99) <= ms,
    whyMissed: sharedCores,
  }
}

/** What cannot be served is refused within 100 ms. */
export const refusedSoon: Target = {
  text: '503 in 100 ms',
  isMet: ({ refused }) => refused.length === 0 || quantile(refused, 0.99) <= 100,
  whyMissed: `a refusal waits for its turn beside what was begun, and ${sharedCores}`,
}

/** So many are served a second. */
export function servedEach(perSecond: number): Target {
  return {
    text: `${perSecond}/s`,
    isMet: ({ served, seconds }) => served.length / seconds >= perSecond,
    whyMissed: sharedCores,
  }
}

export const noTarget: Target = { text: 'none', isMet: () => true, whyMissed: '' }

export const wrongPasswords: Target = {
  text: '429 in 50 ms',
  isMet: () => false,
  whyMissed:
    'each wrong password is the first of its account and address, so no limit answers 429. It is compared ' +
    'while there is space in the queue of strangers, else refused with 503 and a time to come back; the ' +
    'refusals share the cores with the hashes',
}
