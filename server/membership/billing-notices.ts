// The notices about a membership and its payments. What changes who is charged, or takes a
// member out of the exchange, is always sent; the rest follows the preference of its kind.
import { sql } from 'kysely'
import { dollars } from '#contract/format.ts'
import type { ChangeKind } from '#contract/membership.ts'
import { graceDays, graceReminderDays } from '#contract/membership.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { notifyAll, settleNotices } from '#server/notifications/notices.ts'
import type { Notification } from '#server/notifications/notices.ts'
import { notifyAdmins } from '#server/notifications/admins.ts'

/** `key` is what it is about, such as an order or an invoice; `until` a moment that the change sets. */
export type Change = { kind: ChangeKind; key: string; until?: string | null; cents?: number }

type Facts = {
  locale: string
  timeZone: string | null
  paidUntil: string | null
  endsAt: string | null
  /** Until when the member takes part without the payment; null when they don't. */
  graceUntil: string | null
  renewalCents: number | null
}

type Text = {
  title: string
  message: string
  status: 'success' | 'error' | 'pending' | 'info'
  priority: 'high' | 'medium' | 'low'
  action?: { label: string; href: string }
  /** Sent whatever the member's preferences say. */
  always?: true
  mail?: string
}

/** Notifies a member of what changed about their membership, each change once. */
export async function notifyChanges(ctx: Ctx, memberId: string, changes: readonly Change[]): Promise<void> {
  const facts = changes.length === 0 ? undefined : await readFacts(ctx, memberId)
  // An erased member gets the mail about the end of the account alone.
  if (!facts) return
  const notifications = changes.flatMap((change) => {
    const text = texts[change.kind]?.(change, facts)
    return text ? [notificationOf(ctx, memberId, change, text, facts)] : []
  })
  await notifyAll(ctx, notifications)
  if (changes.some(({ kind }) => kind === 'recovered' || kind === 'ended' || kind === 'refunded'))
    await settleNotices(ctx, {
      memberIds: [memberId],
      keys: ['billing:payment\\_failed:%', 'billing:reminder:%'],
    })
  if (changes.some(({ kind }) => kind === 'disputed')) await notifyAdminsOfDispute(ctx, memberId, changes)
}

/** Notifies the admins that an order to the payment partner was given up. */
export function notifyOrderFailed(ctx: Ctx, orderId: string): Promise<void> {
  return notifyAdmins(ctx, {
    action: toMoney,
    key: `order.failed:${orderId}`,
    title: 'An order to the payment partner failed',
    message: 'We’ve stopped retrying. Money shows what was asked and why it failed.',
  })
}

/**
 * Reminds members whose payment failed and who still take part, on the days of `graceReminderDays` after it.
 * After a gap only the latest reminder is sent. A repeated run sends nothing again.
 */
export function remindOfPayments(ctx: Ctx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<Facts & { memberId: string; graceUntil: string; day: number }>`
      select s.member_id, m.locale, m.time_zone, s.current_period_end as paid_until, s.ends_at, s.grace_until,
        s.renewal_cents, due.day
      from memberships s join members m on m.id = s.member_id
      cross join lateral (select max(day) as day from unnest(${[...graceReminderDays]}::int[]) t(day)
        where s.grace_until - make_interval(hours => (${graceDays} - day) * 24) <= clock_timestamp()) due
      where s.status = 'past_due' and s.grace_until > clock_timestamp() and due.day is not null
        and m.erased_at is null`.execute(ctx.db)
    await notifyAll(
      ctx,
      rows.map(({ memberId, day, ...facts }) =>
        notificationOf(
          ctx,
          memberId,
          { kind: 'payment_failed', key: `${facts.graceUntil}:${day}` },
          reminder(facts.graceUntil, facts),
          facts,
          'reminder',
        ),
      ),
    )
  })
}

function notificationOf(
  ctx: Ctx,
  memberId: string,
  { kind, key, until = null, cents }: Change,
  text: Text,
  facts: Facts,
  name: ChangeKind | 'reminder' = kind,
): Notification {
  const { title, message, status, priority, action = toBilling, always, mail } = text
  const { paidUntil, graceUntil, renewalCents } = facts
  const isTest = ctx.config.payments?.live === false
  const isOpen = ctx.config.payments !== null
  return {
    memberId,
    key: `billing:${name}:${key}`,
    kind: always ? null : 'membership',
    notice: { title, message, priority, action },
    activity: { type: 'billing', title, description: message, status, href: '/billing' },
    ...(mail
      ? {
          mail: {
            template: mail,
            props: { until, cents: cents ?? null, paidUntil, graceUntil, renewalCents, isTest, isOpen },
          },
        }
      : {}),
  }
}

const toMoney = { label: 'Open Money', href: '/admin/money' }
const toBilling = { label: 'Open billing', href: '/billing' }
const changeCard = { label: 'Change the card', href: '/billing' }

const moment = (at: string | null | undefined, reader: Facts) =>
  at ? writeMoment(at, { locale: reader.locale, timeZone: reader.timeZone }) : 'the end of its period'

const texts: Partial<Record<ChangeKind, (change: Change, facts: Facts) => Text>> = {
  joined: ({ cents }, facts) => ({
    title: 'Your membership is active',
    message:
      `${cents === undefined ? 'Your payment arrived.' : `You paid ${dollars(cents)}.`} ` +
      `It renews on ${moment(facts.paidUntil, facts)}, unless you cancel before.`,
    status: 'success',
    priority: 'medium',
    mail: 'membership-joined',
  }),
  renewed: ({ cents }, facts) => ({
    title: 'Membership renewed',
    message:
      `${cents === undefined ? 'Your payment arrived.' : `You paid ${dollars(cents)}.`} ` +
      `The next period ends on ${moment(facts.paidUntil, facts)}.`,
    status: 'success',
    priority: 'low',
  }),
  payment_failed: (_, facts) => ({
    title: 'Your payment failed',
    message:
      'We couldn’t charge your card for your membership. ' +
      (facts.graceUntil
        ? `You keep taking part until ${moment(facts.graceUntil, facts)}. Please change the card before then.`
        : 'You get no offers and can’t ask for reviews until a payment succeeds. Please change the card.'),
    status: 'error',
    priority: 'high',
    action: changeCard,
    always: true,
    mail: 'membership-payment-failed',
  }),
  recovered: (_, facts) => ({
    title: 'Your payment arrived',
    message: `Your membership continues. It renews on ${moment(facts.paidUntil, facts)}.`,
    status: 'success',
    priority: 'medium',
    always: true,
    mail: 'membership-recovered',
  }),
  cancelled: ({ until }, facts) => ({
    title: 'Membership canceled',
    message:
      `It ends on ${moment(until, facts)}, and nothing more is charged. Until then you take part, and you ` +
      'can keep it.',
    status: 'info',
    priority: 'medium',
    mail: 'membership-cancelled',
  }),
  kept: (_, facts) => ({
    title: 'Membership kept',
    message: `Your cancellation is taken back. It renews on ${moment(facts.paidUntil, facts)}.`,
    status: 'success',
    priority: 'medium',
    mail: 'membership-kept',
  }),
  paused: ({ until }, facts) => ({
    title: 'Membership paused',
    message:
      `You get no offers and pay nothing until ${moment(until, facts)}; then it resumes automatically. ` +
      'Reviews you have accepted keep their deadlines.',
    status: 'info',
    priority: 'medium',
    mail: 'membership-paused',
  }),
  resumed: (_, facts) => ({
    title: 'Your pause is over',
    message: `You get offers again. Your paid period ends on ${moment(facts.paidUntil, facts)}.`,
    status: 'success',
    priority: 'medium',
    mail: 'membership-resumed',
  }),
  refunded: ({ cents }) => ({
    title: 'Your payment is being refunded',
    message:
      `${cents === undefined ? 'The whole payment' : dollars(cents)} goes back to your card, which can ` +
      'take some days. Your membership has ended.',
    status: 'info',
    priority: 'medium',
    always: true,
    mail: 'membership-refunded',
  }),
  disputed: () => ({
    title: 'Your membership is on hold',
    message:
      'Your bank reports a payment as disputed. Until this is settled you get no offers and can’t ask ' +
      'for reviews. Is it a mistake? Write to us.',
    status: 'error',
    priority: 'high',
    action: { label: 'Contact Support', href: '/support' },
    always: true,
    mail: 'membership-disputed',
  }),
  dispute_won: (_, facts) => ({
    title: 'The dispute is settled',
    message:
      'Your bank closed the dispute about your payment. The hold on your membership is lifted.' +
      (facts.endsAt
        ? ` It ends on ${moment(facts.endsAt, facts)}, unless you keep it on the billing page.`
        : ''),
    status: 'success',
    priority: 'medium',
    always: true,
  }),
  ended: () => ({
    title: 'Your membership has ended',
    message: 'You get no offers and can’t ask for reviews. Please finish the reviews you have accepted.',
    status: 'info',
    priority: 'high',
    always: true,
    mail: 'membership-ended',
  }),
}

function reminder(graceUntil: string, facts: Facts): Text {
  return {
    title: 'Your payment is still missing',
    message: `You keep taking part until ${moment(graceUntil, facts)}. Please change the card before then.`,
    status: 'error',
    priority: 'high',
    action: changeCard,
    always: true,
    mail: 'membership-payment-reminder',
  }
}

async function readFacts(ctx: Ctx, memberId: string): Promise<Facts | undefined> {
  const { rows } = await sql<Facts>`
    select m.locale, m.time_zone, s.current_period_end as paid_until,
      s.ends_at, case when s.grace_until > clock_timestamp() then s.grace_until end as grace_until,
      s.renewal_cents
    from members m left join memberships s on s.member_id = m.id
    where m.id = ${memberId} and m.erased_at is null`.execute(ctx.db)
  return rows[0]
}

async function notifyAdminsOfDispute(ctx: Ctx, memberId: string, changes: readonly Change[]) {
  const about = changes.find(({ kind }) => kind === 'disputed')
  await notifyAdmins(ctx, {
    action: toMoney,
    key: `dispute:${memberId}:${about?.key ?? ''}`,
    title: 'A payment is disputed',
    message: 'A bank disputes the payment of a member, whose membership is on hold. Money shows it.',
  })
}
