import { sql } from 'kysely'
import type { StaffActionRow } from '#contract/staff/exchanges.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'

/** In SQL: the columns of a staff action `a` by the member `w`. */
export const actionColumns = sql`a.id, a.at,
  coalesce(w.username, split_part(w.email, '@', 1)) as actor, a.action, a.reason, a.before, a.after,
  case when a.subject is not null
    then jsonb_build_object('kind', a.subject, 'id', a.subject_id) end as subject`

/** What our staff did about these things, oldest first. Looks at the exchange itself are left out. */
export async function readActions(ctx: MemberCtx, subjectIds: string[]): Promise<StaffActionRow[]> {
  const { rows } = await sql<StaffActionRow>`
    select ${actionColumns} from staff_actions a left join members w on w.id = a.actor_id
    where a.subject_id = any(${subjectIds}::uuid[]) and a.action <> 'exchange_viewed'
    order by a.at, a.id limit 200`.execute(ctx.db)
  return rows
}
