// Small tools of the parts: medians, work for a while, and where a connection's time goes.
import type pg from 'pg'

export const seconds = (since: number) => (performance.now() - since) / 1000

/** The value below which this share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** How often `work` gets done per second by so many callers at once, each one after the other. */
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

/** Does `work` this many times by so many callers at once: what comes after is measured at its usual speed. */
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

/** Adds up how long the statements of a pool take, under the first of these names whose pattern they match. */
export function watchStatements(pool: pg.Pool, kinds: readonly (readonly [string, RegExp])[]): Stopwatch {
  const spent = new Map<string, number>()
  let statements = 0
  pool.on('connect', (client) => {
    // The one form in which the query builder calls it: text and values, answered by a promise.
    const query = client.query.bind(client) as (text: string, values: unknown[]) => Promise<unknown>
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
    client.query = timed as typeof client.query
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
