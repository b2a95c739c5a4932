// Usernames: public, lower case, chosen once and then changed on a way of their own. The unique index decides who has one; what is read
// before only spares people a late no.
import { sql } from 'kysely'
import { canBeUsername } from '#contract/members.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { violates, inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMember } from './members.ts'

/** The username as it is kept. Refuses INVALID_USERNAME, and USERNAME_TAKEN for a reserved one. */
export function readUsername(text: string): string {
  const username = text.trim().toLowerCase()
  const may = canBeUsername(username)
  if (may !== true) throw refuse(may, { field: 'username' })
  return username
}

/**
 * Whether somebody has this username, holds it, or nobody may have it; what is reserved for me is free, and so is what a sign-up holds that
 * `claim` proves to be mine. Refuses INVALID_USERNAME.
 */
export async function usernameExists(ctx: Ctx, text: string, claim?: Buffer): Promise<boolean> {
  const username = text.trim().toLowerCase()
  const may = canBeUsername(username)
  if (may === 'INVALID_USERNAME') throw refuse(may, { field: 'username' })
  return may !== true || (await isUsernameHeld(ctx, username, claim))
}

/**
 * Whether a username is spoken for: somebody has it, an unconfirmed sign-up wishes for it, or somebody else gave it up not long ago. A
 * sign-up may repeat its own wish, with another address too: what was held by the browser with this `claim` does not count.
 */
export async function isUsernameHeld(
  ctx: Ctx,
  username: string,
  claim: Buffer | null = null,
): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from members m left join login_methods l on l.member_id = m.id and l.provider_id = 'credential'
      where m.username = ${username}
        and not coalesce(not m.email_verified and l.pending_hash = ${claim}, false)
    ) or exists (
      select from one_time_secrets s
      where s.data ->> 'holds' = ${username} and not coalesce(s.data ->> 'pending' = ${claim?.toString('hex') ?? null}, false)
    ) or ${isReserved(ctx, username)} as held`.execute(ctx.db)
  return rows[0]?.held ?? false
}

/** Whether somebody else gave this username up and may still take it back. */
function isReserved(ctx: Ctx, username: string) {
  return sql<boolean>`exists (
      select from reserved_usernames r
      where r.username = ${username} and r.reserved_until > clock_timestamp() and (r.member_id = ${ctx.who.id}::uuid) is not true
    )`
}

/** Chooses my username, once: repeating the same choice is fine, another one is CONFLICT. Refuses INVALID_USERNAME, USERNAME_TAKEN. */
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

/** Writes who has a username. Whether they may is asked before it and, by `requireUnreserved`, after it. */
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
 * To be asked once the username is written: somebody may have taken it and given it up again between the look and the writing. Whoever
 * comes later waits for the row. Refuses USERNAME_TAKEN.
 */
export async function requireUnreserved(ctx: Ctx, username: string) {
  const { rows } = await sql<{ reserved: boolean }>`select ${isReserved(ctx, username)} as reserved`.execute(
    ctx.db,
  )
  if (rows[0]?.reserved) throw refuse('USERNAME_TAKEN', { field: 'username' })
}

/** A lost race for a username, as the refusal it is; any other error unchanged. */
export function asTaken(error: unknown): unknown {
  return violates(error, 'members_username_key') ? refuse('USERNAME_TAKEN', { field: 'username' }) : error
}
