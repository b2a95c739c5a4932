// What the kit's own tables know of a member: repeated requests and their answers, counters, the outbox, the
// activity log, and waiting jobs. Erasing an account deletes it, except for the bare entries of the log.
import { sql } from 'kysely'
import type { Ctx } from './ctx.ts'

type Erased = {
  memberId: string
  email: string
  /** What the keys of their counters hold, other than their id. */
  counters: string[]
  /** Other ids of theirs that a job's payload may name. */
  jobsOf: string[]
}

/**
 * Deletes the traces of a member who is being erased, in the open transaction. Running it again changes
 * nothing.
 */
export async function deleteTraces(ctx: Ctx, { memberId, email, counters, jobsOf }: Erased): Promise<void> {
  await ctx.db.deleteFrom('idempotencyKeys').where('scope', '=', memberId).execute()
  await sql`delete from rate_counters where exists (
    select from unnest(${[memberId, ...counters]}::text[]) named where position(named in key) > 0)`.execute(
    ctx.db,
  )
  await sql`delete from demo_mails
    where to_address = ${email} or message_id in (select id::text from mails
      where member_id = ${memberId})`.execute(ctx.db)
  await sql`delete from mails where member_id = ${memberId} or to_address = ${email}`.execute(ctx.db)
  await ctx.db.deleteFrom('bouncedAddresses').where('address', '=', email.toLowerCase()).execute()
  await sql`update activity_logs set member_id = null, metadata = '{}', ip_address = null, user_agent = null
    where member_id = ${memberId}`.execute(ctx.db)
  await ctx.db.deleteFrom('securityEvents').where('actorId', '=', memberId).execute()
  await sql`delete from pgboss.job
    where exists (select from jsonb_each_text(data)
      where value = any(${[memberId, ...jobsOf]}::text[]))`.execute(ctx.db)
}
