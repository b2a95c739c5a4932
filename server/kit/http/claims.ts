// A claim keeps one piece of work from running twice at a time, in whichever process, for as long as it runs.
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Log } from '#server/kit/log.ts'
import { claimOnce } from './rate-limit.ts'

const seconds = 60
const renewMs = 20_000

/**
 * Claims `key` until the returned function is called; null when it is claimed already. The claim of a process
 * that ended is free within a minute.
 */
export async function claimWhile(
  { db, log }: { db: Kysely<DB>; log: Log },
  key: string,
): Promise<(() => Promise<void>) | null> {
  if (!(await claimOnce(db, key, seconds))) return null
  const renewing = setInterval(() => {
    sql`update rate_counters set ends_at = clock_timestamp() + make_interval(secs => ${seconds})
      where key = ${key}`
      .execute(db)
      .catch((err: unknown) => log.warn({ err }, 'a claim could not be renewed'))
  }, renewMs)
  return async () => {
    clearInterval(renewing)
    await db.deleteFrom('rateCounters').where('key', '=', key).execute()
  }
}
