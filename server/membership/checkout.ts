// Joining: a member agrees to the terms and pays on the partner's page. One page is open per member at a
// time. Our row comes first and names what is asked of the partner, so a repetition finds the same page.
import { sql } from 'kysely'
import { joinTermsVersion } from '#contract/membership.ts'
import type { PaymentConfig } from '#server/kit/config.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { refuse } from '#server/kit/refusal.ts'
import { personDisputes } from './disputes.ts'
import { PartnerError, paymentsOf, whileWaiting } from './partner.ts'
import * as partner from './stripe.ts'
import { isUnreachable } from './looks/stored-events.ts'
import { syncMember } from './looks/sync.ts'

type PartnerPage = { url: string }
type Open = { id: string; sessionId: string | null; customerId: string | null }

/**
 * The page on which I pay for a membership: the one that is open, or a new one. Records my consent to these
 * terms. Refuses TERMS_CHANGED, EMAIL_UNVERIFIED, SUSPENDED, ALREADY_MEMBER, PAYMENT_DISPUTED,
 * PAYMENTS_CLOSED, and PAYMENTS_UNAVAILABLE while the partner does not answer. Must not run in a transaction.
 */
export async function openCheckout(ctx: MemberCtx, { terms }: { terms: string }): Promise<PartnerPage> {
  const payments = paymentsOf(ctx)
  if (terms !== joinTermsVersion) throw refuse('TERMS_CHANGED')
  const open = await openRow(ctx)
  const known = open.sessionId && (await whileWaiting(ctx, readOpen(ctx, payments, open.sessionId)))
  if (known) return { url: known }
  // A page that is no longer open gives way to a new one.
  const row = open.sessionId ? await replaceRow(ctx, open.id) : open
  return { url: await whileWaiting(ctx, openSession(ctx, payments, row)) }
}

/** The partner's page for my card and my invoices. Refuses NO_SUBSCRIPTION before the first payment page. */
export async function openPortal(ctx: MemberCtx): Promise<PartnerPage> {
  const payments = paymentsOf(ctx)
  const customerId = await findCustomer(ctx)
  if (!customerId) throw refuse('NO_SUBSCRIPTION')
  const returnUrl = `${ctx.config.origin}/billing`
  return { url: await whileWaiting(ctx, partner.createPortal(payments, { customerId, returnUrl })) }
}

/** Asks the partner how my membership stands. While it does not answer, a job asks again. */
export async function refreshBilling(ctx: MemberCtx): Promise<void> {
  paymentsOf(ctx)
  try {
    await syncMember(ctx, ctx.who.id)
  } catch (error) {
    if (!isUnreachable(error)) throw error
    await ctx.kit.jobs.send(ctx, 'sync-membership', { memberId: ctx.who.id })
  }
}

/** My open row, made if there is none. The consent of a later version replaces that of an earlier one. */
function openRow(ctx: MemberCtx): Promise<Open> {
  return inTransaction(ctx, async (ctx) => {
    const memberId = ctx.who.id
    await lockMembers(ctx, [memberId])
    await refuseToJoin(ctx)
    await sql`
      insert into checkouts as c (id, member_id, terms_version)
      values (${newId()}, ${memberId}, ${joinTermsVersion})
      on conflict (member_id) where state = 'open' do update set terms_version = excluded.terms_version,
        agreed_at = clock_timestamp() where c.terms_version <> excluded.terms_version`.execute(ctx.db)
    return readOpenRow(ctx)
  })
}

async function readOpenRow(ctx: MemberCtx): Promise<Open> {
  const { rows } = await sql<Open>`
    select c.id, c.session_id, s.stripe_customer_id as customer_id
    from checkouts c left join memberships s on s.member_id = c.member_id
    where c.member_id = ${ctx.who.id} and c.state = 'open'`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse('ALREADY_MEMBER')
  return row
}

async function refuseToJoin(ctx: MemberCtx) {
  const { rows } = await sql<{
    emailVerified: boolean
    suspended: boolean
    running: boolean
    disputed: boolean
  }>`
    select t.email_verified, t.suspended, coalesce(s.status in ('active', 'past_due')
      or (s.status = 'disputed' and s.current_period_end > clock_timestamp()), false) as running,
      ${personDisputes(sql`t.member_id`)} as disputed
    from standings t left join memberships s on s.member_id = t.member_id
    where t.member_id = ${ctx.who.id}`.execute(ctx.db)
  const [me] = rows
  if (!me?.emailVerified) throw refuse('EMAIL_UNVERIFIED')
  if (me.suspended) throw refuse('SUSPENDED')
  if (me.running) throw refuse('ALREADY_MEMBER')
  if (me.disputed) throw refuse('PAYMENT_DISPUTED')
}

/** The address of a page that can be paid on; null when it is over. Refuses ALREADY_MEMBER when paid. */
async function readOpen(ctx: MemberCtx, payments: PaymentConfig, sessionId: string): Promise<string | null> {
  const session = await partner.readCheckout(payments, sessionId).catch((error: unknown) => {
    if (!(error instanceof PartnerError) || error.kind !== 'gone') throw error
  })
  if (session?.status === 'complete') await refuseAfterLook(ctx)
  return session?.url ?? null
}

/** The partner may know of a membership that is new to us. */
async function refuseAfterLook(ctx: MemberCtx) {
  await syncMember(ctx, ctx.who.id)
  await refuseToJoin(ctx)
}

function replaceRow(ctx: MemberCtx, id: string): Promise<Open> {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [ctx.who.id])
    await endCheckout(ctx, id, 'expired')
    return openRow(ctx)
  })
}

/** Marks a payment page as paid or as over. One that has ended stays as it is. */
async function endCheckout(ctx: Ctx, id: string, state: 'completed' | 'expired'): Promise<void> {
  await sql`update checkouts set state = ${state}, ended_at = clock_timestamp(), url = null
    where id = ${id} and state = 'open'`.execute(ctx.db)
}

async function openSession(ctx: MemberCtx, payments: PaymentConfig, row: Open): Promise<string> {
  const customerId = await findOrAddCustomer(ctx, payments, row)
  if (await partner.hasLiveSubscription(payments, customerId)) {
    await refuseAfterLook(ctx)
    // It is one that counts for nothing, such as one that is about to be ended.
    throw refuse('PAYMENTS_UNAVAILABLE')
  }
  if (row.customerId === customerId)
    await partner.setCustomerEmail(payments, customerId, await readEmail(ctx))
  const session = await partner.createCheckout(payments, {
    memberId: ctx.who.id,
    customerId,
    successUrl: `${ctx.config.origin}/billing?checkout=done`,
    cancelUrl: `${ctx.config.origin}/billing?checkout=cancelled`,
    key: `checkout:${row.id}`,
  })
  await sql`update checkouts set session_id = ${session.id}, url = ${session.url}
    where id = ${row.id} and state = 'open'`.execute(ctx.db)
  if (!session.url) throw refuse('PAYMENTS_UNAVAILABLE')
  return session.url
}

/** The partner's customer of mine: a new one when there is none yet, or when it was deleted there. */
async function findOrAddCustomer(ctx: MemberCtx, payments: PaymentConfig, row: Open): Promise<string> {
  const { customerId } = row
  return customerId && !(await partner.isCustomerDeleted(payments, customerId))
    ? customerId
    : addCustomer(ctx, payments, row)
}

/** Makes the partner's customer of mine and keeps its name. Of two at once, one is kept. */
async function addCustomer(ctx: MemberCtx, payments: PaymentConfig, row: Open): Promise<string> {
  const email = await readEmail(ctx)
  const first = `customer:${row.id}`
  const key = row.customerId ? `${first}:${row.customerId}` : first
  const made = await partner.createCustomer(payments, { memberId: ctx.who.id, email }, key)
  await sql`
    insert into memberships as s (member_id, status, stripe_customer_id)
    values (${ctx.who.id}, 'none', ${made})
    on conflict (member_id) do update set stripe_customer_id = excluded.stripe_customer_id
      where s.stripe_customer_id is not distinct from ${row.customerId}`.execute(ctx.db)
  return (await findCustomer(ctx)) ?? made
}

async function readEmail(ctx: MemberCtx): Promise<string> {
  const { email } = await ctx.db
    .selectFrom('members')
    .select('email')
    .where('id', '=', ctx.who.id)
    .executeTakeFirstOrThrow()
  return email
}

async function findCustomer(ctx: MemberCtx): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('memberships')
    .select('stripeCustomerId')
    .where('memberId', '=', ctx.who.id)
    .executeTakeFirst()
  return row?.stripeCustomerId ?? null
}

type Left = { id: string; memberId: string; sessionId: string | null }

/**
 * Ends the payment pages of yesterday that are over at the partner. One that was paid in the meantime is
 * looked at. A repeated run changes nothing.
 */
export async function expireCheckouts(ctx: Ctx): Promise<void> {
  if (!ctx.config.payments) return
  const { rows } = await sql<Left>`
    select id, member_id, session_id from checkouts
    where state = 'open' and agreed_at < clock_timestamp() - interval '25 hours'
    order by agreed_at limit 500`.execute(ctx.db)
  const { payments } = ctx.config
  await eachByItself(ctx, rows, failing, (left) => expireOne(ctx, payments, left))
}

const failing = {
  failure: 'a payment page that is over could not be ended',
  about: ({ memberId }: Left) => ({ memberId }),
}

async function expireOne(ctx: Ctx, payments: PaymentConfig, { id, memberId, sessionId }: Left) {
  if (!sessionId) return endCheckout(ctx, id, 'expired')
  try {
    const { status } = await partner.readCheckout(payments, sessionId)
    if (status === 'complete') await syncMember(ctx, memberId)
    if (status !== 'open') await endCheckout(ctx, id, status === 'complete' ? 'completed' : 'expired')
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    if (error.kind === 'gone') await endCheckout(ctx, id, 'expired')
    else ctx.log.warn({ err: error, memberId }, 'a payment page waits for the payment partner')
  }
}
