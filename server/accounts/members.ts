// What the club shows of its members to one another: a username, a picture, and how much they exchanged. Never how well.
import { sql } from 'kysely'
import { usernamePattern } from '#contract/accounts.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'

const mostFound = 10
const searchable = /^[a-z0-9_-]{1,20}$/

type Found = { username: string; avatar: string | null }

/** Members whose username starts so, in the order of the alphabet, at most ten. */
export async function findMembers(ctx: Ctx, text: string): Promise<Found[]> {
  const start = text.trim().toLowerCase()
  if (!searchable.test(start)) return []
  const { rows } = await sql<Found>`
    select username, avatar_key as avatar from members
    where username like ${`${start.replaceAll('_', '\\_')}%`} and email_verified and erased_at is null
    order by username using ~<~ limit ${mostFound}`.execute(ctx.db)
  return rows
}

type Shown = Found & {
  memberSince: string
  reviewsGiven: number
  reviewsReceived: number
  liveProducts: number
}

/** What the club shows of a member. Refuses NOT_FOUND for one who is unknown, unconfirmed or erased. */
export async function getMember(ctx: Ctx, text: string): Promise<Shown> {
  const username = text.trim().toLowerCase()
  if (!usernamePattern.test(username)) throw refuse('NOT_FOUND')
  const { rows } = await sql<Shown>`
    select username, avatar_key as avatar, created_at as member_since,
      (select count(*) from reviews where reviewer_id = m.id and status = 'verified') as reviews_given,
      (select count(*) from reviews where seller_id = m.id and status = 'verified') as reviews_received,
      (select count(*) from products where seller_id = m.id and archived_at is null and deleted_at is null) as live_products
    from members m
    where username = ${username} and email_verified and erased_at is null`.execute(ctx.db)
  const member = rows[0]
  if (!member) throw refuse('NOT_FOUND')
  return member
}
