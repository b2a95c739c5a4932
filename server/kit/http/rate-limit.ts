import { createHash } from 'node:crypto'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '#db/types.ts'
import { withoutStandby } from '#server/kit/db/standby-waits.ts'
import { refuse } from '#server/kit/refusal.ts'

export type Limit = { hits: number; seconds: number }

export const minute = 60
export const hour = 3600

/**
 * Counts one hit on a counter that all processes share and restarts keep. The n-th hit passes, the
 * next one is refused with TOO_MANY_REQUESTS and the seconds to wait. Counted outside of any transaction, so
 * a refusal counts too.
 */
export async function limitRate(db: Kysely<DB>, key: string, { hits, seconds }: Limit) {
  const counted = await addHits(db, key, { hits: 1, seconds })
  if (counted.hits > hits) throw refuse('TOO_MANY_REQUESTS', undefined, Math.max(1, counted.wait))
}

/**
 * Adds hits to a shared counter. Returns how many it has now, and the seconds until it starts again. A window
 * that ends later than one that begins now is from before the database's clock was set back: it is over.
 */
async function addHits(db: Kysely<DB>, key: string, { hits, seconds }: Limit) {
  const over = sql`(c.ends_at <= clock_timestamp()
    or c.ends_at > clock_timestamp() + make_interval(secs => ${seconds}))`
  const { rows } = await sql<{ hits: number; wait: number }>`
    insert into rate_counters as c (key, hits, ends_at)
    select ${key}, ${hits}::int, clock_timestamp() + make_interval(secs => ${seconds})
    from ${sql.raw(withoutStandby)}
    on conflict (key) do update set
      hits = case when ${over} then ${hits} else c.hits + ${hits} end,
      ends_at = case when ${over} then excluded.ends_at else c.ends_at end
    returning hits, ceil(extract(epoch from ends_at - clock_timestamp()))::int as wait`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A counter returned nothing.')
  return row
}

/**
 * Counts one try of something that may be guessed. `free` tries pass at once; after them each has to wait
 * since the one before, 1 second first, then twice as long each time, at most 15 minutes, until no one has
 * tried for an hour. So a guesser is slowed down, and the owner is never locked out: a try that came too
 * early is refused with TOO_MANY_REQUESTS and counts for nothing. Counted outside of any transaction.
 */
export async function limitTries(db: Kysely<DB>, key: string, free: number) {
  const longest = 900
  // The row ends an hour after the last try that passed, so its end gives the time of that try.
  const next = sql`c.ends_at - interval '1 hour'
    + case when c.hits < ${free} then interval '0'
      else make_interval(secs => least(${longest}, 2 ^ (c.hits - ${free}))) end`
  // A try later than now is from before the database's clock was set back: no one should wait for that hour.
  const due = sql`c.ends_at <= clock_timestamp() or ${next} <= clock_timestamp()
    or c.ends_at > clock_timestamp() + interval '1 hour 2 minutes'`
  if ((await addTry(db, key, due)) !== undefined) return
  const { rows } = await sql<{ wait: number }>`
    select ceil(extract(epoch from ${next} - clock_timestamp()))::int as wait from rate_counters c
      where key = ${key}`.execute(db)
  throw refuse('TOO_MANY_REQUESTS', undefined, Math.max(1, rows[0]?.wait ?? 1))
}

/** Counts a try and returns how many there were since the last hour without one. */
export async function countTries(db: Kysely<DB>, key: string): Promise<number> {
  return (await addTry(db, key, sql`true`)) ?? 1
}

/** Counts a try if its counter `c` allows it. Returns how many there are now; undefined when it does not. */
async function addTry(db: Kysely<DB>, key: string, allowed: RawBuilder<unknown>) {
  const { rows } = await sql<{ hits: number }>`
    insert into rate_counters as c (key, hits, ends_at)
      select ${key}, 1, clock_timestamp() + interval '1 hour' from ${sql.raw(withoutStandby)}
    on conflict (key) do update set
      hits = case when c.ends_at <= clock_timestamp() then 1 else least(c.hits + 1, 1000) end,
      ends_at = excluded.ends_at
      where ${allowed}
    returning hits`.execute(db)
  return rows[0]?.hits
}

/** Clears counts after a successful try. */
export async function clearAttempts(db: Kysely<DB>, ...keys: string[]) {
  await db.deleteFrom('rateCounters').where('key', 'in', keys).execute()
}

/** Whether this is the first time within so many seconds: of concurrent claims, exactly one gets true. */
export async function claimOnce(db: Kysely<DB>, key: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into rate_counters as c (key, hits, ends_at)
      values (${key}, 1, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (key) do update set ends_at = excluded.ends_at where c.ends_at <= clock_timestamp()
    returning key`.execute(db)
  return rows.length > 0
}

/** A key part for something that should not stand in the table as it is, such as an email address. */
export function hashedKey(text: string) {
  return createHash('sha256').update(text.trim().toLowerCase()).digest('base64url').slice(0, 22)
}

/** A process's own count of one key. */
type LocalCount = {
  /** When its window ends, by this process's clock that no step moves. */
  until: number
  /** Hits that pass without another question to the database. */
  left: number
  /** Hits that passed and that the shared counter does not know yet. */
  unshared: number
  /** What is left was taken from the shared counter. */
  shared: boolean
  /** The shared counter has nothing left in this window. */
  spent: boolean
  asking?: Promise<void> | undefined
}

const block = 10

/**
 * The blanket limits. Each process gives a quarter of the allowance of a key without asking. Then it reports
 * what it gave, and takes the rest from the shared counter in blocks of ten. One process lets exactly the
 * limit pass; each further process may let a quarter more pass, the part that it has not reported. `most`
 * keys are counted locally at a time; further keys are counted in the database alone.
 */
export function blanketLimiter(
  db: Kysely<DB>,
  limit: Limit,
  { most = 50_000, clock = () => performance.now() }: { most?: number; clock?: () => number } = {},
) {
  const counts = new Map<string, LocalCount>()
  const free = Math.floor(limit.hits / 4)
  let sweptAt = 0

  /**
   * Refuses with TOO_MANY_REQUESTS and the seconds to wait. Returns a promise only where the database has to
   * be asked.
   */
  return function pass(key: string): Promise<void> | undefined {
    const count = localCount(key)
    if (!count) return limitRate(db, key, limit)
    return take(key, count) ? undefined : takeAfterAsking(key)
  }

  function localCount(key: string): LocalCount | undefined {
    const now = clock()
    const known = counts.get(key)
    if (known && known.until > now) return known
    if (!known && counts.size >= most) sweep(now)
    if (!known && counts.size >= most) return undefined
    const count: LocalCount = {
      until: now + limit.seconds * 1000,
      left: free,
      unshared: 0,
      shared: false,
      spent: false,
    }
    counts.set(key, count)
    return count
  }

  /**
   * Removes the windows that have ended, at most once a second. A flood of keys cannot remove one that has
   * not.
   */
  function sweep(now: number) {
    if (now - sweptAt < 1000) return
    sweptAt = now
    for (const [key, { until, asking }] of counts) if (until <= now && !asking) counts.delete(key)
  }

  function take(key: string, count: LocalCount): boolean {
    if (count.left > 0) {
      count.left -= 1
      if (!count.shared) count.unshared += 1
      return true
    }
    if (!count.spent) return false
    throw refuse('TOO_MANY_REQUESTS', undefined, Math.max(1, Math.ceil((count.until - clock()) / 1000)))
  }

  /** Requests that arrive while the database is asked wait for the same answer. */
  async function takeAfterAsking(key: string) {
    for (;;) {
      const count = localCount(key)
      if (!count) return limitRate(db, key, limit)
      if (take(key, count)) return
      count.asking ??= share(key, count).finally(() => {
        count.asking = undefined
      })
      await count.asking
    }
  }

  async function share(key: string, count: LocalCount) {
    const given = count.unshared
    const { hits, wait } = await addHits(db, key, { hits: given + block, seconds: limit.seconds })
    count.unshared = 0
    count.shared = true
    count.until = clock() + wait * 1000
    count.left = Math.min(block, Math.max(0, limit.hits - (hits - block)))
    count.spent = count.left === 0
  }
}
