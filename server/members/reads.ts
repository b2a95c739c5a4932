import { sql } from 'kysely'
import { strikes } from '#contract/matching-rules.ts'
import { usernamePattern } from '#contract/members.ts'
import type { Me, Profile } from '#contract/members.ts'
import { paymentsModeOf } from '#server/kit/config.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { thisMonth } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { changeableFrom } from './username-change.ts'

type MeRow = Omit<Me, 'membership' | 'demo' | 'payments' | 'suspension'> & {
  suspended: boolean
  suspendedUntil: string | null
  suspensionReason: string | null
} & Me['membership']

/** My account, as every screen needs it, in one read. `unread` stops at 100, because the badge says 99+. */
export async function getMe(ctx: MemberCtx): Promise<Me> {
  const { rows } = await sql<MeRow>`
    select m.id, m.email, m.email_verified, m.username, m.display_name, m.full_name, m.avatar_key as avatar,
      m.locale, m.time_zone, m.two_factor_enabled as two_factor, m.role, m.created_at,
      exists (select from bounced_addresses b where b.address = lower(m.email)) as email_bounced,
      t.suspended, m.suspended_until, m.suspension_reason,
      coalesce(s.status, 'none') as status, s.source, s.current_period_end, t.paused,
      case when s.paused_until > clock_timestamp() then s.paused_until end as paused_until,
      t.membership_state as state, case when s.status = 'past_due' then s.grace_until end as grace_until,
      case when s.ends_at > clock_timestamp() then s.ends_at end as ends_at,
      (select count(*) from (
        select from notices n where n.member_id = m.id and n.read_at is null limit 100) u) as unread,
      clock_timestamp() as server_time
    from members m join standings t on t.member_id = m.id left join memberships s on s.member_id = m.id
    where m.id = ${ctx.who.id}`.execute(ctx.db)
  const me = rows[0]
  if (!me) throw refuse('UNAUTHORIZED')
  const { status, state, source, paused, pausedUntil, currentPeriodEnd, graceUntil, endsAt, ...account } = me
  const { suspended, suspendedUntil: until, suspensionReason, ...person } = account
  const reason = suspensionReason ?? `You missed ${strikes.limit} reviews in ${strikes.days} days.`
  return {
    ...person,
    suspension: suspended ? { reason, until } : null,
    membership: { status, state, source, paused, pausedUntil, currentPeriodEnd, graceUntil, endsAt },
    demo: ctx.config.mode === 'demo',
    payments: paymentsModeOf(ctx.config),
  }
}

/** My account settings, and a change of address in progress. */
export async function getProfile(ctx: MemberCtx): Promise<Profile> {
  const me = await ctx.db
    .selectFrom('members')
    .select(['avatarKey as avatar', 'locale', 'timeZone'])
    .select(
      sql<string | null>`case when ${changeableFrom} > clock_timestamp() then ${changeableFrom} end`.as(
        'usernameChangeAt',
      ),
    )
    .where('id', '=', ctx.who.id)
    .executeTakeFirstOrThrow()
  const reservedUsernames = await ctx.db
    .selectFrom('reservedUsernames')
    .select(['username', 'reservedUntil as until'])
    .where('memberId', '=', ctx.who.id)
    .where('reservedUntil', '>', sql<string>`clock_timestamp()`)
    .orderBy('reservedUntil', 'desc')
    .execute()
  return { ...me, reservedUsernames, emailChange: await findEmailChange(ctx) }
}

/** My change of address in progress, or null. */
async function findEmailChange(ctx: MemberCtx) {
  const change = await ctx.db
    .selectFrom('emailChanges')
    .select(['newEmail as email', 'expiresAt'])
    .select(sql<boolean>`old_confirmed_at is not null`.as('oldConfirmed'))
    .select(sql<boolean>`new_confirmed_at is not null`.as('newConfirmed'))
    .where('memberId', '=', ctx.who.id)
    .where('expiresAt', '>', sql<string>`clock_timestamp()`)
    .executeTakeFirst()
  return change ?? null
}

const mostFound = 10
const searchable = /^[a-z0-9_-]{1,20}$/

type Found = { username: string; avatar: string | null }

/**
 * The first ten members, in alphabetical order, whose username starts with this text. A range and not `like`,
 * for which PostgreSQL may choose the index of similar names and sort what it finds.
 */
export async function findMembers(ctx: Ctx, text: string): Promise<Found[]> {
  const start = text.trim().toLowerCase()
  if (!searchable.test(start)) return []
  const { rows } = await sql<Found>`
    select username, avatar_key as avatar from members
    where username ~>=~ ${start} and username ~<~ ${`${start}~`} and email_verified and erased_at is null
    order by username using ~<~ limit ${mostFound}`.execute(ctx.db)
  return rows
}

const verifiedBeforeThisMonth = sql`status = 'verified' and verified_at < ${thisMonth}`

type Shown = Found & {
  memberSince: string
  reviewsGiven: number
  reviewsReceived: number
  liveProducts: number
}

/**
 * The public data of a member: username, picture, and how many reviews they exchanged, not how good they are.
 * It shows only the month of joining, and counts as they were when the month began: an exact time, or a count
 * that rises with a confirmed review, would reveal its author to the seller, and one that changes with a
 * product its seller. Refuses NOT_FOUND for a member who is unknown, unconfirmed or erased.
 */
export async function getMember(ctx: Ctx, text: string): Promise<Shown> {
  const username = text.trim().toLowerCase()
  if (!usernamePattern.test(username)) throw refuse('NOT_FOUND')
  const { rows } = await sql<Shown>`
    select username, avatar_key as avatar, to_char(created_at at time zone 'UTC', 'YYYY-MM') as member_since,
      (select count(*) from reviews
        where reviewer_id = m.id and ${verifiedBeforeThisMonth}) as reviews_given,
      (select count(*) from reviews
        where seller_id = m.id and ${verifiedBeforeThisMonth}) as reviews_received,
      (select count(*) from products
        where seller_id = m.id and coalesce(live_since, created_at) < ${thisMonth}
          and coalesce(archived_at, ${thisMonth}) >= ${thisMonth}
          and coalesce(deleted_at, ${thisMonth}) >= ${thisMonth}) as live_products
    from members m
    where username = ${username} and email_verified and erased_at is null`.execute(ctx.db)
  const member = rows[0]
  if (!member) throw refuse('NOT_FOUND')
  return member
}
