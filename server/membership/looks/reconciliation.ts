// The nightly comparison of every membership with the payment partner. It finds events that never arrived and
// mends what they would have changed. It works in parts, each a job of its own.
import { sql } from 'kysely'
import type { Ctx, JobData } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { firstId, inTransaction } from '#server/kit/db/db.ts'
import { paymentsOf } from '../partner.ts'
import { applyEvents, isUnreachable } from './stored-events.ts'
import * as partner from '../stripe.ts'
import { syncMember } from './sync.ts'
import type { Difference } from './sync.ts'
import { findMemberOfCustomer, storeEvent } from '../webhook.ts'

const membersAPart = 100
/** As many are kept of one run. */
const mostDifferences = 500

/**
 * Runs one part: without data the beginning, with a place the members after it. Sends for the next part until
 * all were compared. While the partner does not answer it fails, and is repeated as a job. A membership that
 * cannot be compared for another reason is among what is found, and keeps no other waiting.
 */
export async function reconcile(ctx: Ctx, { id, after }: JobData = {}): Promise<void> {
  if (!ctx.config.payments) return
  if (typeof id !== 'string' || typeof after !== 'string') return begin(ctx)
  const { rows } = await sql<{ memberId: string }>`
    select member_id from memberships where stripe_customer_id is not null and member_id > ${after}
    order by member_id limit ${membersAPart}`.execute(ctx.db)
  const found: Difference[] = []
  for (const { memberId } of rows) found.push(...(await compare(ctx, memberId)))
  const last = rows.at(-1)?.memberId
  await inTransaction(ctx, async (ctx) => {
    await note(ctx, id, found, rows.length - found.filter(isNotCompared).length)
    if (last) await ctx.kit.jobs.send(ctx, 'reconcile-memberships', { id, after: last })
    else await finish(ctx, id)
  })
}

async function compare(ctx: Ctx, memberId: string): Promise<Difference[]> {
  try {
    return await syncMember(ctx, memberId)
  } catch (err) {
    if (isUnreachable(err)) throw err
    ctx.log.error({ err, memberId }, 'a membership could not be compared with the payment partner')
    return [{ memberId, field: notCompared, ours: 'see the log', partners: 'unknown' }]
  }
}

const notCompared = 'not compared'

function isNotCompared({ field }: Difference): boolean {
  return field === notCompared
}

async function begin(ctx: Ctx): Promise<void> {
  const lost = await storeLostEvents(ctx)
  // Whom an event failed for is compared like all others, and found then.
  const applied = await applyEvents(ctx).catch((err: unknown) => {
    ctx.log.error({ err }, 'an event of the payment partner could not be applied')
    return []
  })
  const found = [...lost, ...applied, ...(await findStrangers(ctx))]
  const id = newId()
  await inTransaction(ctx, async (ctx) => {
    await sql`insert into reconciliations (id) values (${id})`.execute(ctx.db)
    await note(ctx, id, found, 0)
    await ctx.kit.jobs.send(ctx, 'reconcile-memberships', { id, after: firstId })
  })
}

/** Stores the events of our members that never arrived. The latest minutes are left to the partner. */
async function storeLostEvents(ctx: Ctx): Promise<Difference[]> {
  const { rows } = await sql<{ since: string; until: string }>`
    select clock_timestamp() - interval '30 days' as since,
      clock_timestamp() - interval '10 minutes' as until`.execute(ctx.db)
  const [span] = rows
  if (!span) return []
  const events = await partner.listEvents(paymentsOf(ctx), span.since)
  const found: Difference[] = []
  for (const event of events) {
    if (event.createdAt > span.until || !event.customerId) continue
    const member = await findMemberOfCustomer(ctx, event.customerId)
    if (member && (await storeEvent(ctx, event)))
      found.push({ memberId: member.memberId, field: 'event', ours: 'missing', partners: event.type })
  }
  return found
}

/** Live subscriptions to our price whose customers are no members. */
async function findStrangers(ctx: Ctx): Promise<Difference[]> {
  const found: Difference[] = []
  for (const { customerId } of await partner.listLiveSubscriptions(paymentsOf(ctx))) {
    if (await findMemberOfCustomer(ctx, customerId)) continue
    ctx.log.error('a live subscription at the payment partner belongs to no member')
    found.push({ memberId: null, field: 'subscription', ours: 'unknown', partners: 'live' })
  }
  return found
}

async function note(ctx: Ctx, id: string, found: Difference[], compared: number) {
  await sql`
    update reconciliations set compared = compared + ${compared},
      differences = case when jsonb_array_length(differences) < ${mostDifferences}
        then differences || ${JSON.stringify(found.slice(0, mostDifferences))}::jsonb else differences end
    where id = ${id}`.execute(ctx.db)
}

async function finish(ctx: Ctx, id: string) {
  const { rows } = await sql<{ compared: number; differences: number }>`
    update reconciliations set finished_at = clock_timestamp() where id = ${id} and finished_at is null
    returning compared, jsonb_array_length(differences) as differences`.execute(ctx.db)
  if (rows[0]) ctx.log.info(rows[0], 'the memberships were compared with the payment partner')
}
