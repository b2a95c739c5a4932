// Sign-up answers the same, at the same cost, for an address that is known and for one that is not. An unknown address gets an
// unconfirmed account and the confirmation mail; so does one whose sign-up was never confirmed, and there the newest sign-up holds; a
// confirmed one gets the mail that an account exists. In each case the wished username is spoken for until the sign-up is forgotten.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { readEmail } from './email-address.ts'
import { mailAccountExists, mailConfirmation } from './mails.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { hashOfSecret, issueSecret, newSecret } from './secrets.ts'
import { asTaken, isUsernameHeld, readUsername, requireUnreserved } from './usernames.ts'

/** How long an unconfirmed sign-up, and the username it wishes for, are kept. */
export const signUpDays = retention.signUpDays

export type SignUp = { email: string; password: string; username: string; returnTo?: string | undefined }

/**
 * Answers the new value of the pending cookie, whoever has the address. `pending` is the one the browser sent. Refuses
 * INVALID_USERNAME, USERNAME_TAKEN, INVALID_EMAIL and what `checkPassword` refuses, all of them before it looks for the address.
 */
export async function signUp(ctx: Ctx, wish: SignUp, pending?: string): Promise<string> {
  const username = readUsername(wish.username)
  const email = readEmail(wish.email)
  checkPassword(wish.password, { email, username })
  const passwordHash = await hashPassword(wish.password)
  const newPending = newSecret()
  await inTransaction(ctx, async (ctx) => {
    if (await isUsernameHeld(ctx, username, pending === undefined ? undefined : { email, pending })) {
      throw refuse('USERNAME_TAKEN', { field: 'username' })
    }
    const member = await addOrLockMember(ctx, { email, username })
    await requireUnreserved(ctx, username)
    if (member.emailVerified) {
      await holdUsername(ctx, { memberId: member.id, username, pending: newPending })
      await mailAccountExists(ctx, { memberId: member.id, to: email })
    } else {
      await setPendingPassword(ctx, { memberId: member.id, passwordHash, pending: newPending })
      await mailConfirmation(ctx, { memberId: member.id, to: email, username, returnTo: wish.returnTo })
    }
  }).catch((error: unknown) => {
    throw asTaken(error)
  })
  return newPending
}

/** The member of this address, locked: made now, or found. One whose address is not confirmed takes the new username. */
async function addOrLockMember(ctx: Ctx, { email, username }: { email: string; username: string }) {
  const added = await sql<{ id: string }>`
    insert into members (id, email, username) values (${newId()}, ${email}, ${username})
    on conflict (lower(email)) do nothing returning id`.execute(ctx.db)
  if (added.rows[0]) return { id: added.rows[0].id, emailVerified: false }
  const known = await ctx.db
    .selectFrom('members')
    .select(['id', 'emailVerified'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!known.emailVerified) {
    await ctx.db
      .updateTable('members')
      .set({ username, updatedAt: sql`clock_timestamp()` })
      .where('id', '=', known.id)
      .execute()
  }
  return known
}

/**
 * An unconfirmed account holds its username by having it. A confirmed one holds the wish here, under a secret that was never told
 * to anybody, so that the public username check cannot tell the two apart.
 */
async function holdUsername(ctx: Ctx, wish: { memberId: string; username: string; pending: string }) {
  await issueSecret(ctx, {
    memberId: wish.memberId,
    purpose: 'verify_email',
    minutes: signUpDays * 24 * 60,
    data: { holds: wish.username, pending: hashOfSecret(wish.pending).toString('hex') },
  })
}

/** The newest sign-up's password, tied to its browser. The one before it stops working, and so does its browser's claim. */
async function setPendingPassword(
  ctx: Ctx,
  { memberId, passwordHash, pending }: { memberId: string; passwordHash: string; pending: string },
) {
  await sql`
    insert into login_methods (id, member_id, provider_id, account_id, password, pending_hash)
    values (${newId()}, ${memberId}, 'credential', ${memberId}, ${passwordHash}, ${hashOfSecret(pending)})
    on conflict (provider_id, account_id) do update
      set password = excluded.password, pending_hash = excluded.pending_hash, updated_at = clock_timestamp()`.execute(
    ctx.db,
  )
}

/** Forgets sign-ups that were not confirmed in time, and with them the usernames they held. */
export async function forgetSignUps(ctx: Ctx) {
  const old = sql`clock_timestamp() - make_interval(days => ${signUpDays})`
  await inTransaction(ctx, async ({ db }) => {
    await sql`
      delete from members m where not m.email_verified and m.created_at < ${old} and not exists (
        select from one_time_secrets s where s.member_id = m.id and s.purpose = 'verify_email' and s.created_at > ${old}
      )`.execute(db)
    await sql`delete from one_time_secrets where created_at < ${old}`.execute(db)
  })
}
