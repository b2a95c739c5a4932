// Helpers of the parts: quantiles, rates, and the time that statements take.
import type pg from 'pg'

export const seconds = (since: number) => (performance.now() - since) / 1000

/** The value below which this share of the samples is. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** How often so many callers at once complete `work` per second. */
export async function ratePerSecond(
  callers: number,
  forSeconds: number,
  work: (caller: number) => Promise<unknown>,
) {
  const start = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (seconds(start) < forSeconds) {
        await work(caller)
        done += 1
      }
    }),
  )
  return done / seconds(start)
}

/** Warms up: does `work` this many times by so many callers at once. */
export async function repeat(callers: number, times: number, work: (caller: number) => Promise<unknown>) {
  let left = times
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (; left > 0; left -= 1) await work(caller)
    }),
  )
}

export type Stopwatch = {
  readonly spent: Map<string, number>
  readonly statements: () => number
  reset(): void
}

/** Adds up the time of a pool's statements, under the first name whose pattern matches. */
export function watchStatements(pool: pg.Pool, kinds: readonly (readonly [string, RegExp])[]): Stopwatch {
  const spent = new Map<string, number>()
  let statements = 0
  pool.on('connect', (client) => {
    // The query builder calls it with text and values for a promise. The pool's own reads have a callback
    // too, and are not timed.
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
    const queried = (text: string, values: unknown[], ...callback: unknown[]) =>
      callback.length > 0 ? query(text, values, ...callback) : timed(text, values)
    async function timed(text: string, values: unknown[]) {
      const start = performance.now()
      try {
        return await query(text, values)
      } finally {
        const [name = 'other'] = kinds.find(([, pattern]) => pattern.test(text)) ?? []
        spent.set(name, (spent.get(name) ?? 0) + performance.now() - start)
        statements += 1
      }
    }
    client.query = queried as typeof client.query
  })
  return {
    spent,
    statements: () => statements,
    reset() {
      spent.clear()
      statements = 0
    },
  }
}
