// The partner's events, as far as they are stored and not applied. An event says whom to look at, no more.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { PartnerError, paymentsOf } from '../partner.ts'
import { customerOfPayment } from '../stripe.ts'
import { findMemberOfCustomer } from '../webhook.ts'
import { syncMember } from './sync.ts'
import type { Difference } from './sync.ts'

type Waiting = { id: string; customerId: string | null; paymentId: string | null; memberId: string | null }

/**
 * Looks once at each member whom waiting events are about. While the partner does not answer they wait on.
 * Returns what differed. Throws when a member could not be written, after all others were.
 */
export async function applyEvents(ctx: Ctx): Promise<Difference[]> {
  const { rows } = await sql<Waiting>`
    select e.id, e.customer_id, e.payment_id, coalesce(s.member_id, i.member_id) as member_id
    from stripe_events e
    left join memberships s on s.stripe_customer_id = e.customer_id
    left join lateral (select member_id from invoices where payment_id = e.payment_id limit 1) i on true
    where e.processed_at is null order by e.received_at, e.id limit 1000`.execute(ctx.db)
  const found: Difference[] = []
  await eachByItself(ctx, await byMember(ctx, rows), failing, async ([memberId, events]) => {
    try {
      if (memberId) found.push(...(await syncMember(ctx, memberId)))
      else
        ctx.log.info({ count: events.length, why: 'customer' }, 'events of the payment partner were ignored')
      await markProcessed(ctx, events)
    } catch (error) {
      if (!isUnreachable(error)) throw error
      ctx.log.warn({ err: error, memberId }, 'events wait for the payment partner')
    }
  })
  return found
}

const failing = {
  failure: 'events of the payment partner could not be applied',
  about: ([memberId]: [string | null, string[]]) => ({ memberId }),
}

/** Whether the payment partner did not answer, so that the same may work later. */
export function isUnreachable(error: unknown): error is PartnerError {
  return error instanceof PartnerError && error.kind === 'unreachable'
}

async function byMember(ctx: Ctx, rows: Waiting[]): Promise<Map<string | null, string[]>> {
  const events = new Map<string | null, string[]>()
  for (const row of rows) {
    const memberId = row.memberId ?? (await memberOfPayment(ctx, row))
    if (memberId === undefined) continue
    events.set(memberId, [...(events.get(memberId) ?? []), row.id])
  }
  return events
}

/** Who made the payment that an event names; null for no member, undefined while the partner is down. */
async function memberOfPayment(ctx: Ctx, { paymentId }: Waiting): Promise<string | null | undefined> {
  if (!paymentId) return null
  try {
    const customerId = await customerOfPayment(paymentsOf(ctx), paymentId)
    const member = customerId ? await findMemberOfCustomer(ctx, customerId) : undefined
    return member?.memberId ?? null
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    return error.kind === 'unreachable' ? undefined : null
  }
}

async function markProcessed(ctx: Ctx, ids: string[]) {
  await sql`update stripe_events set processed_at = clock_timestamp()
    where id = any(${ids}::text[]) and processed_at is null`.execute(ctx.db)
}
