// Addresses whose mail server refused a mail for good. They get no further mail until their owner confirms
// them again: only the links that do so, and that someone asked for, are still sent to them.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'

/** Remembers that an address refused mail for good. Its member's pages are notified. */
export async function addBounce(ctx: Ctx, address: string) {
  await inTransaction(ctx, async (ctx) => {
    await sql`insert into bounced_addresses (address) values (lower(${address}))
      on conflict (address) do nothing`.execute(ctx.db)
    await notifyOwner(ctx, address)
  })
}

/** Whether an address refused mail for good and was not confirmed since. */
export async function hasBounced(ctx: Ctx, address: string): Promise<boolean> {
  const bounced = await ctx.db
    .selectFrom('bouncedAddresses')
    .select('address')
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst()
  return bounced !== undefined
}

/** Lets mail go to an address again, after its owner confirmed it, in the open transaction. */
export async function clearBounce(ctx: Ctx, address: string) {
  const deleted = await ctx.db
    .deleteFrom('bouncedAddresses')
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst()
  if (deleted.numDeletedRows > 0n) await notifyOwner(ctx, address)
}

async function notifyOwner(ctx: Ctx, address: string) {
  const owner = await ctx.db
    .selectFrom('members')
    .select('id')
    .where(sql`lower(email)`, '=', address.toLowerCase())
    .where('erasedAt', 'is', null)
    .executeTakeFirst()
  if (owner) await emit(ctx, 'member.changed', { memberId: owner.id }, [owner.id])
}

/**
 * Whether a mail server refused this recipient for good. A refusal of the sender, or for policy (5.7.x), says
 * nothing about the mailbox, and a full one (5.2.2) may be emptied.
 */
export function isBounce(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error)) return false
  const response = 'response' in error ? String(error.response) : ''
  const [, status = ''] = /\b(5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const isOfRecipient = 'command' in error && error.command === 'RCPT TO'
  if (status.startsWith('5.1.')) return true
  if (status.startsWith('5.7.') || status === '5.2.2') return false
  return isOfRecipient && [550, 551, 553].includes(Number(error.responseCode))
}
