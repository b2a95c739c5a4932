// Finds the member who sends a request, from its cookie. One named statement reads the session and the member
// once per request. Without a cache, a sign-out, a new role or an erasure takes effect at the next request.
import type pg from 'pg'
import { sessionLimits } from '#contract/retention.ts'
import type { Config } from '#server/kit/config.ts'
import type { Ctx, Member, Who } from '#server/kit/ctx.ts'
import { visitor } from '#server/kit/ctx.ts'
import { preparedRead } from '#server/kit/db/prepared.ts'
import { readSessionToken } from './cookies.ts'
import { withoutStandby } from '#server/kit/db/standby-waits.ts'

export type Authentication = {
  /** Returns a visitor, not an error, for a cookie that is missing, malformed, forged or expired. */
  authenticate(ctx: Ctx, headers: Headers): Promise<Who>
  /**
   * Returns those of these login sessions that are still valid. The live streams of the others are closed.
   */
  findLiveSessions(sessionIds: string[]): Promise<Set<string>>
}

const { member: forMembers, staff: forStaff } = sessionLimits
/**
 * The SQL condition for a valid session `s` of a member `m`. The total is counted from its beginning,
 * whatever its row says about its end.
 */
export const aliveSession = `s.expires_at > clock_timestamp() and m.email_verified and m.erased_at is null
  and s.created_at > clock_timestamp() - interval '${forMembers.totalDays} days'
  and case when m.role = 'user'
    then s.last_seen_at > clock_timestamp() - interval '${forMembers.idleDays} days'
    else s.last_seen_at > clock_timestamp() - interval '${forStaff.idleMinutes} minutes'
      and s.created_at > clock_timestamp() - interval '${forStaff.totalHours} hours' end`

/** Reads the valid login session of a cookie's token, with its member's role and second factor. */
export const readSession = `select s.id, s.member_id, m.role, m.two_factor_enabled as two_factor,
  s.last_seen_at < clock_timestamp()
    - case when m.role = 'user' then interval '1 hour' else interval '1 minute' end as unseen
  from sessions s join members m on m.id = s.member_id where s.token = $1 and ${aliveSession}`

type SessionRow = {
  id: string
  member_id: string
  role: Member['role']
  two_factor: boolean
  unseen: boolean
}

const findSession = preparedRead<SessionRow>('session-member', readSession)

export function openAuthentication(pool: pg.Pool, config: Config): Authentication {
  return {
    async authenticate(ctx, headers) {
      const token = readSessionToken(config, headers)
      if (!token) return visitor
      const [row] = await findSession(pool, [token])
      if (!row) return visitor
      if (row.unseen) await markSeen(ctx, row.id)
      return { role: row.role, id: row.member_id, sessionId: row.id, twoFactor: row.two_factor }
    },
    async findLiveSessions(sessionIds) {
      const text = `select s.id from sessions s join members m on m.id = s.member_id
        where s.id = any($1) and ${aliveSession}`
      const { rows } = await pool.query<{ id: string }>(text, [sessionIds])
      return new Set(rows.map(({ id }) => id))
    },
  }

  // Written at most once an hour for members and once a minute for staff: precise enough for the idle limits,
  // without a write per request. A read need not wait for a standby to have it.
  async function markSeen(ctx: Ctx, sessionId: string) {
    await pool
      .query(`update sessions set last_seen_at = clock_timestamp() from ${withoutStandby} where id = $1`, [
        sessionId,
      ])
      .catch((err: unknown) => ctx.log.warn({ err }, 'a login session could not be marked as seen'))
  }
}
