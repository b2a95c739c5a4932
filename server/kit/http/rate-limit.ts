import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '#db/types.ts'
import { refuse } from '#server/kit/refusal.ts'

export type Limit = { hits: number; seconds: number }

export const minute = 60
export const hour = 3600

/**
 * Counts one hit on a counter that all processes share and restarts do not forget. The n-th hit passes, the next one is
 * refused with TOO_MANY_REQUESTS and the seconds to wait. Counted outside of any transaction, so a refusal counts too.
 */
export async function limitRate(db: Kysely<DB>, key: string, { hits, seconds }: Limit, weight = 1) {
  const { rows } = await sql<{ hits: number; wait: number }>`
    insert into rate_counters as c (key, hits, ends_at)
    values (${key}, ${weight}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (key) do update set
      hits = case when c.ends_at <= clock_timestamp() then ${weight} else c.hits + ${weight} end,
      ends_at = case when c.ends_at <= clock_timestamp() then excluded.ends_at else c.ends_at end
    returning hits, ceil(extract(epoch from ends_at - clock_timestamp()))::int as wait`.execute(db)
  const row = rows[0]
  if (row && row.hits > hits) throw refuse('TOO_MANY_REQUESTS', undefined, Math.max(1, row.wait))
}

/**
 * Counts one try of something that may be guessed. `free` tries pass at once; after them each has to wait since the one before, 1 second
 * first, then twice as long each time, at most 15 minutes, until nobody has tried for an hour. So a guesser is slowed down, and the owner
 * is never locked out: a try that came too early is refused with TOO_MANY_REQUESTS and counts for nothing. Counted outside of any transaction.
 */
export async function limitTries(db: Kysely<DB>, key: string, free: number) {
  const longest = 900
  // The row ends an hour after the last try that passed, so its end tells when that was.
  const next = sql`c.ends_at - interval '1 hour'
    + case when c.hits < ${free} then interval '0' else make_interval(secs => least(${longest}, 2 ^ (c.hits - ${free}))) end`
  const { rows } = await sql`
    insert into rate_counters as c (key, hits, ends_at) values (${key}, 1, clock_timestamp() + interval '1 hour')
    on conflict (key) do update set
      hits = case when c.ends_at <= clock_timestamp() then 1 else least(c.hits + 1, 1000) end, ends_at = excluded.ends_at
      where c.ends_at <= clock_timestamp() or ${next} <= clock_timestamp()
    returning hits`.execute(db)
  if (rows.length > 0) return
  const { rows: waits } = await sql<{ wait: number }>`
    select ceil(extract(epoch from ${next} - clock_timestamp()))::int as wait from rate_counters c where key = ${key}`.execute(
    db,
  )
  throw refuse('TOO_MANY_REQUESTS', undefined, Math.max(1, waits[0]?.wait ?? 1))
}

/** Takes the count back: whoever tried was right to. */
export async function clearAttempts(db: Kysely<DB>, key: string) {
  await db.deleteFrom('rateCounters').where('key', '=', key).execute()
}

/** Whether this is the first time within so many seconds: of any number of claims at once, one is told so. */
export async function claimOnce(db: Kysely<DB>, key: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into rate_counters as c (key, hits, ends_at) values (${key}, 1, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (key) do update set ends_at = excluded.ends_at where c.ends_at <= clock_timestamp()
    returning key`.execute(db)
  return rows.length > 0
}

/** A key part for something that should not stand in the table as it is, such as an email address. */
export function hashedKey(text: string) {
  return createHash('sha256').update(text.trim().toLowerCase()).digest('base64url').slice(0, 22)
}

/**
 * The blanket limits: hits are taken from the shared counter in blocks of ten, so that a request costs no write of its own.
 * With several processes up to ten hits per process may be granted early; never more than the limit in all.
 */
export function leasedLimiter(db: Kysely<DB>, limit: Limit) {
  const block = 10
  const leases = new Map<string, { left: number; until: number; granted: Promise<void> }>()
  return async (key: string) => {
    const now = Date.now()
    const lease = leases.get(key)
    if (lease && lease.left > 0 && lease.until > now) {
      lease.left -= 1
      // Requests that arrive while a block is being asked for share it, and its refusal as well.
      return lease.granted
    }
    if (leases.size > 50_000) leases.clear()
    const fresh = { left: block - 1, until: now + 10_000, granted: limitRate(db, key, limit, block) }
    leases.set(key, fresh)
    try {
      await fresh.granted
    } catch (error) {
      fresh.left = 0
      throw error
    }
  }
}
