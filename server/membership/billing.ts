// My membership and its payments, as /billing shows them. The member reads what we hold: the partner is asked
// by jobs, so this page works while the partner is down.
import { sql } from 'kysely'
import type { Billing, Invoice } from '#contract/membership.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { keysetPage } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { findPauseAgainAt, unusedTime } from './pauses.ts'
import { findRefund } from './refunds.ts'

/** The latest changes that the page shows. */
const changesShown = 50

type Row = Pick<
  Billing,
  | 'state'
  | 'source'
  | 'since'
  | 'paidUntil'
  | 'endsAt'
  | 'graceUntil'
  | 'reviewsToWrite'
  | 'pending'
  | 'checkoutOpen'
> & {
  pausedFrom: string | null
  pausedUntil: string | null
  renewalCents: number | null
  creditCents: number
  cardBrand: string | null
  cardLast4: string | null
}

/** My membership now: its state, what is charged next, and what I can do. */
export async function getBilling(ctx: MemberCtx): Promise<Billing> {
  const me = ctx.who.id
  const { rows } = await sql<Row>`
    select t.membership_state as state, s.source, s.started_at as since, s.current_period_end as paid_until,
      case when t.membership_state in ('active', 'paused', 'cancelled', 'past_due')
        then s.ends_at end as ends_at,
      case when s.status = 'past_due' then s.grace_until end as grace_until,
      case when t.paused then s.paused_from end as paused_from,
      case when t.paused then s.paused_until end as paused_until,
      s.renewal_cents, s.card_brand, s.card_last4,
      case when t.paused then coalesce((select round(i.total_cents * extract(epoch from ${unusedTime})
          / extract(epoch from i.period_end - i.period_start))
        from invoices i where i.member_id = m.id and i.status = 'paid' and i.period_end > i.period_start
        order by i.period_end desc limit 1), 0)::int else 0 end as credit_cents,
      (select count(*) from reviews where reviewer_id = m.id
        and status in ('pending', 'purchased', 'returned')) as reviews_to_write,
      (select kind from membership_orders where member_id = m.id and done_at is null and failed_at is null
        order by created_at desc, id desc limit 1) as pending,
      exists (select from checkouts where member_id = m.id and state = 'open') as checkout_open
    from members m join standings t on t.member_id = m.id left join memberships s on s.member_id = m.id
    where m.id = ${me}`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw refuse('UNAUTHORIZED')
  const { pausedFrom, pausedUntil, renewalCents: _, creditCents: __, cardBrand, cardLast4, ...shown } = row
  const refund = await findRefund(ctx, me)
  const canPause = row.source === 'stripe' && row.state !== 'none'
  return {
    ...shown,
    payments: paymentsState(ctx),
    nextCharge: nextChargeOf(row),
    pause: pausedFrom !== null && pausedUntil !== null ? { from: pausedFrom, until: pausedUntil } : null,
    pauseAgainAt: canPause ? await findPauseAgainAt(ctx, me) : null,
    refund: refund && { cents: refund.cents, until: refund.until },
    card: cardBrand !== null && cardLast4 !== null ? { brand: cardBrand, last4: cardLast4 } : null,
    changes: await readChanges(ctx),
  }
}

/** Whether memberships can be bought here, and with real money. */
export function paymentsState({ config }: Pick<MemberCtx, 'config'>): Billing['payments'] {
  if (!config.payments) return 'closed'
  return config.payments.live ? 'live' : 'test'
}

/** My invoices, the latest first. */
export async function listInvoices(ctx: MemberCtx, input: PageInput): Promise<Page<Invoice>> {
  const query = ctx.db
    .selectFrom('invoices')
    .select(['id', 'number', 'status', 'totalCents', 'taxCents', 'refundedCents', 'madeAt as at'])
    .select(['periodStart', 'periodEnd', 'hasPdf'])
    .where('memberId', '=', ctx.who.id)
    .$castTo<Invoice>()
  return keysetPage(
    query,
    { time: 'invoices.madeAt', id: 'invoices.id', place: (row) => ({ time: row.at, id: row.id }) },
    input,
  )
}

/** A pause ends with a payment for a new month, less what the pause left unused. */
function nextChargeOf({
  state,
  source,
  paidUntil,
  renewalCents,
  creditCents,
  endsAt,
}: Row): Billing['nextCharge'] {
  if (source !== 'stripe' || renewalCents === null || paidUntil === null || endsAt !== null) return null
  if (state !== 'active' && state !== 'paused') return null
  return { at: paidUntil, cents: Math.max(0, renewalCents - creditCents) }
}

async function readChanges(ctx: MemberCtx): Promise<Billing['changes']> {
  const changes = await ctx.db
    .selectFrom('membershipChanges')
    .select(['id', 'kind', 'at', 'until'])
    .where('memberId', '=', ctx.who.id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(changesShown)
    .$castTo<Billing['changes'][number]>()
    .execute()
  return changes
}
