import { sql } from 'kysely'
import type { Me } from '#contract/accounts.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'

type MeRow = Omit<Me, 'membership' | 'demo'> & {
  status: Me['membership']['status']
  source: Me['membership']['source']
  paused: boolean
  pausedUntil: string | null
  currentPeriodEnd: string | null
}

/** Who I am: what every screen needs to know, in one read. `unread` stops at 100, where the badge says 99+. */
export async function getMe(ctx: MemberCtx): Promise<Me> {
  const { rows } = await sql<MeRow>`
    select m.id, m.email, m.email_verified, m.username, m.display_name, m.full_name, m.avatar_key as avatar, m.locale,
      m.time_zone, m.two_factor_enabled as two_factor, m.role, m.created_at,
      coalesce(s.status, 'none') as status, s.source, s.current_period_end,
      coalesce(s.paused_from <= clock_timestamp() and s.paused_until > clock_timestamp(), false) as paused,
      case when s.paused_until > clock_timestamp() then s.paused_until end as paused_until,
      (select count(*) from (select from notices n where n.member_id = m.id and n.read_at is null limit 100) u) as unread,
      clock_timestamp() as server_time
    from members m left join memberships s on s.member_id = m.id
    where m.id = ${ctx.who.id}`.execute(ctx.db)
  const me = rows[0]
  if (!me) throw refuse('UNAUTHORIZED')
  const { status, source, paused, pausedUntil, currentPeriodEnd, ...person } = me
  return {
    ...person,
    membership: { status, source, paused, pausedUntil, currentPeriodEnd },
    demo: ctx.config.mode === 'demo',
  }
}
