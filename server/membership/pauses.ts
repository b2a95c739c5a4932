// A pause: no offers, and no payment. The payment partner credits the days that were paid and not used to the
// payment with which the membership resumes, so a pause over the day of renewal is no free month.
import { sql } from 'kysely'
import { pauseEveryDays } from '#contract/membership.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { refuse } from '#server/kit/refusal.ts'
import { addChanges } from './changes.ts'
import { paymentsOf } from './partner.ts'
import { changeMembership, findSubscription, lockMySubscription, orderFor } from './subscriptions.ts'
import type { Subscription } from './subscriptions.ts'

/**
 * Pauses my membership for some days. My open offer is withdrawn without penalty; reviews I have accepted
 * keep their deadlines. Refuses PAYMENTS_CLOSED, NO_SUBSCRIPTION, PAUSE_NOT_NOW while a payment is missing or
 * still being collected, after a cancellation and during a pause, and PAUSE_TOO_SOON.
 */
export function pauseMembership(ctx: MemberCtx, { days }: { days: number }): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    paymentsOf(ctx)
    const mine = await lockMySubscription(ctx)
    if (!mine) throw refuse('NO_SUBSCRIPTION')
    if (mine.state !== 'active' || !(await isPaid(ctx, mine))) throw refuse('PAUSE_NOT_NOW')
    if (await findPauseAgainAt(ctx, mine.memberId)) throw refuse('PAUSE_TOO_SOON')
    const { rows } = await sql<{ from: string; until: string }>`
      select now_is as from, now_is + make_interval(hours => ${days * 24}) as until
      from (select clock_timestamp() as now_is) clock`.execute(ctx.db)
    const { from, until } = rows[0] ?? { from: '', until: '' }
    // The next payment is the one with which it resumes.
    await changeMembership(ctx, mine.memberId, {
      pausedFrom: from,
      pausedUntil: until,
      currentPeriodEnd: until,
    })
    const key = await orderFor(ctx, mine, 'pause', { until })
    await addChanges(ctx, mine.memberId, [{ kind: 'paused', key, until }])
  })
}

/**
 * Whether the present period was paid. For an hour after a renewal it may not be, and the partner would
 * credit the whole of it to the next payment. An order may also be carried out a little later than it was
 * given, so for an hour before a renewal the next period counts.
 */
async function isPaid(ctx: Ctx, { memberId }: Subscription): Promise<boolean> {
  const { rows } = await sql`
    select from invoices where member_id = ${memberId} and status = 'paid'
      and period_end > clock_timestamp() + interval '1 hour'
    limit 1`.execute(ctx.db)
  return rows.length === 1
}

/** Ends my pause now. A repetition changes nothing. Refuses PAYMENTS_CLOSED, NO_SUBSCRIPTION. */
export function resumeMembership(ctx: MemberCtx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    paymentsOf(ctx)
    const mine = await lockMySubscription(ctx)
    if (!mine) throw refuse('NO_SUBSCRIPTION')
    if (mine.state === 'paused') await resume(ctx, mine)
  })
}

/** Resumes the memberships whose pause is over. A repeated run changes nothing. */
export async function resumeEndedPauses(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ memberId: string }>`
    select member_id from memberships s where ${isOver} order by paused_until limit 1000`.execute(ctx.db)
  await eachByItself(ctx, rows, failing, ({ memberId }) =>
    inTransaction(ctx, async (ctx) => {
      await lockMembers(ctx, [memberId])
      const still = await sql`select from memberships s where member_id = ${memberId} and ${isOver}`.execute(
        ctx.db,
      )
      const theirs = still.rows.length === 1 ? await findSubscription(ctx, memberId) : undefined
      if (theirs) await resume(ctx, theirs)
    }),
  )
}

const failing = {
  failure: 'a pause that is over could not be ended',
  about: ({ memberId }: { memberId: string }) => ({ memberId }),
}

const isOver = sql<boolean>`(s.source = 'stripe' and s.status = 'active'
  and s.paused_until <= clock_timestamp())`

/** When a member may pause next; null when they may now. It counts between the beginnings of pauses. */
export async function findPauseAgainAt(ctx: Ctx, memberId: string): Promise<string | null> {
  const { rows } = await sql<{ at: string }>`
    select max(at) + make_interval(hours => ${pauseEveryDays * 24}) as at from membership_changes
    where member_id = ${memberId} and kind = 'paused'
    having max(at) + make_interval(hours => ${pauseEveryDays * 24}) > clock_timestamp()`.execute(ctx.db)
  return rows[0]?.at ?? null
}

/** In SQL, of a membership `s`: the time that was paid and that its pause leaves unused; null if unpaid. */
export const unusedTime = sql<string>`(select greatest('0'::interval, max(i.period_end) - s.paused_from)
  from invoices i where i.member_id = s.member_id and i.status = 'paid')`

/** A new month begins with it; the partner says afterwards when it really ends. */
async function resume(ctx: Ctx, mine: Subscription) {
  await changeMembership(ctx, mine.memberId, {
    pausedFrom: null,
    pausedUntil: null,
    currentPeriodEnd: sql<string>`clock_timestamp() + interval '1 month'`,
  })
  const key = await orderFor(ctx, mine, 'resume')
  await addChanges(ctx, mine.memberId, [{ kind: 'resumed', key }])
}
