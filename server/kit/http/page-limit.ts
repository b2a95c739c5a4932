import type { Kysely } from 'kysely'
import type { MiddlewareHandler } from 'hono'
import type { DB } from '#db/types.ts'
import { isDatabaseDown } from '#server/kit/db/db.ts'
import type { HttpEnv } from './http.ts'
import { blanketLimiter, minute } from './rate-limit.ts'

/**
 * 120 requests a minute from one address, as for calls. While the database is away the page stays, and only
 * the local part counts.
 */
export function limitedPage(db: Kysely<DB>, name: string): MiddlewareHandler<HttpEnv> {
  const perAddress = blanketLimiter(db, { hits: 120, seconds: minute })
  return async (c, next) => {
    try {
      await perAddress(`${name}:${c.get('ctx').client?.address}`)
    } catch (error) {
      if (!isDatabaseDown(error)) throw error
    }
    await next()
  }
}
