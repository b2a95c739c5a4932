// What the kit's own tables know of a member: repeated requests and their answers, counters, the outbox, the
// activity log, and waiting jobs. Erasing an account deletes it, except for the bare entries of the log.
import { sql } from 'kysely'
import type { Ctx } from './ctx.ts'
import { hashedKey } from './http/rate-limit.ts'

type Erased = {
  memberId: string
  email: string
  /** Other ids of theirs that a job's payload may name. */
  jobsOf: string[]
}

/**
 * Deletes the traces of a member who is being erased, in the open transaction. Running it again changes
 * nothing.
 */
export async function deleteTraces(ctx: Ctx, { memberId, email, jobsOf }: Erased): Promise<void> {
  await ctx.db.deleteFrom('idempotencyKeys').where('scope', '=', memberId).execute()
  await sql`delete from rate_counters
    where position(${memberId}::text in key) > 0 or position(${hashedKey(email)}::text in key) > 0`.execute(
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
