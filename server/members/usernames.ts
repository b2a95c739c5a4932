// Usernames are public, lower case and chosen once; `username-change.ts` changes them. The unique index
// decides who has one. The reads before only let people know early that a username is taken.
import { sql } from 'kysely'
import { canBeUsername } from '#contract/members.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { violates, inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMember } from './members.ts'

/** Returns the username as we store it. Refuses INVALID_USERNAME, and USERNAME_TAKEN for a reserved one. */
export function readUsername(text: string): string {
  const username = text.trim().toLowerCase()
  const may = canBeUsername(username)
  if (may !== true) throw refuse(may, { field: 'username' })
  return username
}

/**
 * Whether a username is taken, held by a sign-up, or not allowed. My own counts as free, now or reserved, and
 * so does a sign-up that `claim` proves to be mine. Refuses INVALID_USERNAME.
 */
export async function isUsernameTaken(ctx: Ctx, text: string, claim?: Buffer): Promise<boolean> {
  const username = text.trim().toLowerCase()
  const may = canBeUsername(username)
  if (may === 'INVALID_USERNAME') throw refuse(may, { field: 'username' })
  return may !== true || (await isUsernameHeld(ctx, username, claim))
}

/**
 * Whether another member has this username, an unconfirmed sign-up holds it, or it is reserved for another
 * member. A sign-up of the browser with this `claim` does not count, so that it can be repeated with another
 * address.
 */
export async function isUsernameHeld(
  ctx: Ctx,
  username: string,
  claim: Buffer | null = null,
): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from members m left join login_methods l on l.member_id = m.id and l.provider_id = 'credential'
      where m.username = ${username} and (m.id = ${ctx.who.id}::uuid) is not true
        and not coalesce(not m.email_verified and l.pending_hash = ${claim}, false)
    ) or exists (
      select from one_time_secrets s
      where s.data ->> 'holds' = ${username}
        and not coalesce(s.data ->> 'pending' = ${claim?.toString('hex') ?? null}, false)
    ) or ${isReserved(ctx, username)} as held`.execute(ctx.db)
  return rows[0]?.held ?? false
}

/** Whether another member gave this username up and can still take it back. */
function isReserved(ctx: Ctx, username: string) {
  return sql<boolean>`exists (
      select from reserved_usernames r
      where r.username = ${username} and r.reserved_until > clock_timestamp()
        and (r.member_id = ${ctx.who.id}::uuid) is not true
    )`
}

/**
 * Chooses my username, once. The same choice again changes nothing; another one is CONFLICT. Refuses
 * INVALID_USERNAME, USERNAME_TAKEN.
 */
export async function setUsername(ctx: MemberCtx, text: string) {
  const username = readUsername(text)
  const memberId = ctx.who.id
  await inTransaction(ctx, async (ctx) => {
    const me = await lockMember(ctx, memberId)
    if (me.username === username) return
    if (me.username !== null) throw refuse('CONFLICT')
    if (await isUsernameHeld(ctx, username)) throw refuse('USERNAME_TAKEN', { field: 'username' })
    await writeUsername(ctx, { memberId, username })
    await requireUnreserved(ctx, username)
    await emit(ctx, 'member.changed', { memberId }, [memberId])
  }).catch((error: unknown) => {
    throw asTaken(error)
  })
}

/** Stores a member's username. Callers check availability before, and with `requireUnreserved` after. */
export async function writeUsername(
  ctx: Ctx,
  { memberId, username }: { memberId: string; username: string },
) {
  await ctx.db
    .updateTable('members')
    .set({ username, updatedAt: sql`clock_timestamp()` })
    .where('id', '=', memberId)
    .execute()
}

/**
 * Call this after the username is written, because another member may have taken it and given it up between
 * the check and the write. Later writers wait for the row. Refuses USERNAME_TAKEN.
 */
export async function requireUnreserved(ctx: Ctx, username: string) {
  const { rows } = await sql<{ reserved: boolean }>`select ${isReserved(ctx, username)} as reserved`.execute(
    ctx.db,
  )
  if (rows[0]?.reserved) throw refuse('USERNAME_TAKEN', { field: 'username' })
}

/** Turns a lost race for a username into its refusal. Other errors stay unchanged. */
export function asTaken(error: unknown): unknown {
  return violates(error, 'members_username_key') ? refuse('USERNAME_TAKEN', { field: 'username' }) : error
}
