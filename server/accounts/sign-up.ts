// Sign-up answers the same, at the same cost, for known and unknown addresses. An unknown or unconfirmed
// address gets an unconfirmed account and a confirmation mail; the newest sign-up counts. A confirmed address
// gets a mail that its account exists. In each case the chosen username is held until the sign-up expires.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { olderThan, removeBatch } from '#server/kit/db/old-rows.ts'
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

/** How many days an unconfirmed sign-up and its username are kept. */
export const signUpDays = retention.signUpDays

type SignUp = { email: string; password: string; username: string; returnTo?: string | undefined }

/**
 * Returns the new value of the pending cookie, also for a known address. `pending` is the value the browser
 * sent. Refuses INVALID_USERNAME, USERNAME_TAKEN, INVALID_EMAIL and what `checkPassword` refuses, all before
 * it looks up the address.
 */
export async function signUp(ctx: Ctx, input: SignUp, pending?: string): Promise<string> {
  const username = readUsername(input.username)
  const email = readEmail(input.email)
  checkPassword(input.password, { email, username })
  const passwordHash = await hashPassword(input.password)
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
      await mailConfirmation(ctx, { memberId: member.id, to: email, username, returnTo: input.returnTo })
    }
  }).catch((error: unknown) => {
    throw asTaken(error)
  })
  return newPending
}

/**
 * Deletes an earlier sign-up of this browser with the same username and another, probably mistyped, address.
 * Its link stops working. The owner of that address is not informed, with or without an account.
 */
async function giveUpElsewhere(
  ctx: Ctx,
  { username, email, claim }: { username: string; email: string; claim: Buffer },
) {
  const { rows } = await sql<{ id: string }>`
    select m.id from members m join login_methods l on l.member_id = m.id and l.provider_id = 'credential'
    where m.username = ${username} and not m.email_verified and m.email <> ${email}
      and l.pending_hash = ${claim}
    for update of m`.execute(ctx.db)
  for (const { id } of rows) await removeUnconfirmed(ctx, id)
  await sql`
    delete from one_time_secrets s using members m
    where m.id = s.member_id and m.email <> ${email}
      and s.data ->> 'holds' = ${username} and s.data ->> 'pending' = ${claim.toString('hex')}`.execute(
    ctx.db,
  )
}

/** Adds or locks the member of this address. An unconfirmed one takes the new username. */
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
 * Holds a sign-up's username and password for a confirmed address, under a secret that is never sent. It
 * makes confirmed and unconfirmed addresses look the same to the username check and to sign-in attempts.
 */
async function holdSignUp(
  ctx: Ctx,
  held: { memberId: string; username: string; passwordHash: string; pending: string },
) {
  await issueSecret(ctx, {
    memberId: held.memberId,
    purpose: 'verify_email',
    minutes: signUpDays * 24 * 60,
    data: {
      holds: held.username,
      password: held.passwordHash,
      pending: hashOfSecret(held.pending).toString('hex'),
    },
  })
}

/**
 * Whether this is the password of an unconfirmed sign-up with this address. Includes sign-ups that are held
 * for a confirmed address. Otherwise a sign-up followed by a sign-in would reveal whether the address has an
 * account.
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

/** Deletes sign-ups that were not confirmed in time. Their usernames become free. */
export async function deleteExpiredSignUps(ctx: Ctx): Promise<void> {
  while (await deleteSomeSignUps(ctx)) continue
}

/**
 * Deletes a batch of both kinds of sign-ups in one transaction: a username that becomes free before another
 * would reveal whether its address has an account. Returns whether more may be left.
 */
function deleteSomeSignUps(ctx: Ctx): Promise<boolean> {
  // Sixty tables refer to a member, and each is searched for every member that goes.
  const rowsPerBatch = 500
  return inTransaction(ctx, async (ctx) => {
    const moreMembers = await deleteUnconfirmed(ctx, { days: signUpDays, rowsPerBatch })
    const where = olderThan(sql`created_at`, signUpDays * 24)
    const moreSecrets = await removeBatch(ctx, { table: 'one_time_secrets', where, rowsPerBatch })
    return moreMembers || moreSecrets
  })
}
