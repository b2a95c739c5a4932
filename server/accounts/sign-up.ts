// Sign-up answers the same, at the same cost, for an address that is known and for one that is not. An unknown address gets an
// unconfirmed account and the confirmation mail; so does one whose sign-up was never confirmed, and there the newest sign-up holds; a
// confirmed one gets the mail that an account exists. In each case the wished username is spoken for until the sign-up is forgotten.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { addMember, deleteUnconfirmed, removeUnconfirmed } from '#server/members/members.ts'
import {
  asTaken,
  isUsernameHeld,
  readUsername,
  requireUnreserved,
  writeUsername,
} from '#server/members/usernames.ts'
import { readEmail } from './email-address.ts'
import { setPendingPassword } from './login-methods.ts'
import { mailAccountExists, mailConfirmation } from './notices.ts'
import { checkPassword, hashPassword, verifyPassword } from './passwords.ts'
import { hashOfSecret, issueSecret, newSecret } from './secrets.ts'

/** How long an unconfirmed sign-up, and the username it wishes for, are kept. */
export const signUpDays = retention.signUpDays

type SignUp = { email: string; password: string; username: string; returnTo?: string | undefined }

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
    const claim = pending === undefined ? undefined : hashOfSecret(pending)
    if (await isUsernameHeld(ctx, username, claim)) throw refuse('USERNAME_TAKEN', { field: 'username' })
    if (claim) await giveUpElsewhere(ctx, { username, email, claim })
    const member = await addOrLockMember(ctx, { email, username })
    await requireUnreserved(ctx, username)
    if (member.emailVerified) {
      await holdSignUp(ctx, { memberId: member.id, username, passwordHash, pending: newPending })
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

/**
 * This browser signed up with the same username and another address before, most likely a mistyped one: that sign-up is over, and its link
 * with it. Whoever has that address is none the wiser, whether or not they have an account.
 */
async function giveUpElsewhere(
  ctx: Ctx,
  { username, email, claim }: { username: string; email: string; claim: Buffer },
) {
  const { rows } = await sql<{ id: string }>`
    select m.id from members m join login_methods l on l.member_id = m.id and l.provider_id = 'credential'
    where m.username = ${username} and not m.email_verified and m.email <> ${email} and l.pending_hash = ${claim}
    for update of m`.execute(ctx.db)
  for (const { id } of rows) await removeUnconfirmed(ctx, id)
  await sql`
    delete from one_time_secrets s using members m
    where m.id = s.member_id and m.email <> ${email}
      and s.data ->> 'holds' = ${username} and s.data ->> 'pending' = ${claim.toString('hex')}`.execute(
    ctx.db,
  )
}

/** The member of this address, locked: made now, or found. One whose address is not confirmed takes the new username. */
async function addOrLockMember(ctx: Ctx, { email, username }: { email: string; username: string }) {
  const id = await addMember(ctx, { email, username })
  if (id !== null) return { id, emailVerified: false }
  const known = await ctx.db
    .selectFrom('members')
    .select(['id', 'emailVerified'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!known.emailVerified) await writeUsername(ctx, { memberId: known.id, username })
  return known
}

/**
 * An unconfirmed account has the username and the password that were wished for. A confirmed one holds the wish here, under a secret that
 * was never told to anybody, so that neither the public username check nor a try to sign in can tell the two apart.
 */
async function holdSignUp(
  ctx: Ctx,
  wish: { memberId: string; username: string; passwordHash: string; pending: string },
) {
  await issueSecret(ctx, {
    memberId: wish.memberId,
    purpose: 'verify_email',
    minutes: signUpDays * 24 * 60,
    data: {
      holds: wish.username,
      password: wish.passwordHash,
      pending: hashOfSecret(wish.pending).toString('hex'),
    },
  })
}

/**
 * Whether this is the password of a sign-up with this address that nobody has confirmed. It is so for an address that has an account, too:
 * else whoever signs up with an address and tries to sign in would learn whether it was known.
 */
export async function isUnconfirmedPassword(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const { rows } = await sql<{ hash: string | null }>`
    select case when m.email_verified then s.data ->> 'password' else l.password end as hash
    from members m
    left join login_methods l on l.member_id = m.id and l.provider_id = 'credential'
    left join one_time_secrets s on s.member_id = m.id and s.purpose = 'verify_email'
    where m.email = ${email}`.execute(ctx.db)
  const hash = rows[0]?.hash
  return hash ? verifyPassword(hash, password) : false
}

/** Forgets sign-ups that were not confirmed in time, and with them the usernames they held. */
export async function deleteExpiredSignUps(ctx: Ctx) {
  await inTransaction(ctx, async (ctx) => {
    await deleteUnconfirmed(ctx, signUpDays)
    await sql`delete from one_time_secrets where created_at < clock_timestamp() - make_interval(days => ${signUpDays})`.execute(
      ctx.db,
    )
  })
}
