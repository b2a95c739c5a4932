// Mails that were not delivered, for our staff: what waits, what failed, and which addresses bounced.
import { sql } from 'kysely'
import { maskEmail } from '#contract/accounts.ts'
import type { BouncedAddress, FailedMail } from '#contract/staff/health.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { clearBounce } from './bounces.ts'

/** The most failed mails and bounced addresses that are listed; the counts are of all. */
const mostListed = 50

/** The state of the outbox, with the latest failures. Addresses are masked. */
export async function readOutbox(ctx: Ctx) {
  const { rows: counted } = await sql<{
    waiting: number
    waitSeconds: number
    sentIn24Hours: number
    failedCount: number
    bouncedCount: number
  }>`
    select (select count(*)::int from mails where sent_at is null and failed_at is null) as waiting,
      (select coalesce(greatest(0, extract(epoch from clock_timestamp() - min(next_try_at))), 0)::int
        from mails where sent_at is null and failed_at is null) as wait_seconds,
      (select count(*)::int from mails where sent_at > clock_timestamp() - interval '24 hours')
        as sent_in24_hours,
      (select count(*)::int from mails where failed_at is not null) as failed_count,
      (select count(*)::int from bounced_addresses) as bounced_count`.execute(ctx.db)
  const { rows: failed } = await sql<Omit<FailedMail, 'maskedAddress'> & { toAddress: string }>`
    select id, template, to_address, member_id, coalesce(error, '') as error, attempts, created_at, failed_at,
      ${isComplete} as complete
    from mails where failed_at is not null order by failed_at desc, id desc limit ${mostListed}`.execute(
    ctx.db,
  )
  const { rows: bounced } = await sql<Omit<BouncedAddress, 'maskedAddress'> & { address: string }>`
    select b.address, ${keyOf} as key, b.bounced_at, m.id as member_id
    from bounced_addresses b
      left join members m on lower(m.email) = b.address and m.erased_at is null
    order by b.bounced_at desc, b.address limit ${mostListed}`.execute(ctx.db)
  return {
    ...(counted[0] ?? { waiting: 0, waitSeconds: 0, sentIn24Hours: 0, failedCount: 0, bouncedCount: 0 }),
    failed: failed.map(({ toAddress, ...mail }) => ({ ...mail, maskedAddress: maskEmail(toAddress) })),
    bounced: bounced.map(({ address, ...rest }) => ({ ...rest, maskedAddress: maskEmail(address) })),
  }
}

const isComplete = sql<boolean>`props <> '{}'`
// Lets staff name an address that the screen shows masked.
const keyOf = sql<string>`encode(sha256(convert_to(b.address, 'UTF8')), 'hex')`

/** Sends a failed mail again. Refuses NOT_FOUND, and CONTENT_GONE when its content was deleted. */
export function resendMail(ctx: MemberCtx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ memberId: string | null; template: string }>`
      update mails set failed_at = null, error = null, attempts = 0, next_try_at = clock_timestamp()
      where id = ${id} and failed_at is not null and ${isComplete} returning member_id, template`.execute(
      ctx.db,
    )
    const mail = rows[0]
    if (!mail) {
      const { rows: gone } = await sql`select from mails where id = ${id} and failed_at is not null`.execute(
        ctx.db,
      )
      throw refuse(gone.length > 0 ? 'CONTENT_GONE' : 'NOT_FOUND')
    }
    await ctx.kit.jobs.send(ctx, 'send-mails', { mailId: id })
    const { memberId, template } = mail
    await recordStaffAction(ctx, {
      action: 'mail_sent_again',
      memberId,
      subject: { kind: 'mail', id },
      after: { template },
    })
  })
}

/** Deletes a failed mail. Refuses NOT_FOUND. */
export function discardMail(ctx: MemberCtx, { id, reason }: { id: string; reason: string }): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const mail = await ctx.db
      .deleteFrom('mails')
      .where('id', '=', id)
      .where('failedAt', 'is not', null)
      .returning(['memberId', 'template', 'error'])
      .executeTakeFirst()
    if (!mail) throw refuse('NOT_FOUND')
    const { memberId, template, error } = mail
    await recordStaffAction(ctx, {
      action: 'mail_discarded',
      memberId,
      subject: { kind: 'mail', id },
      reason,
      before: { template, error },
    })
  })
}

/** Lets mail go to a bounced address again. Refuses NOT_FOUND. */
export function clearBouncedAddress(
  ctx: MemberCtx,
  { key, reason }: { key: string; reason: string },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ address: string; memberId: string | null }>`
      select b.address, m.id as member_id from bounced_addresses b
        left join members m on lower(m.email) = b.address and m.erased_at is null
      where ${keyOf} = ${key} for update of b`.execute(ctx.db)
    const found = rows[0]
    if (!found) throw refuse('NOT_FOUND')
    await clearBounce(ctx, found.address)
    await recordStaffAction(ctx, { action: 'bounce_cleared', memberId: found.memberId, reason })
  })
}
