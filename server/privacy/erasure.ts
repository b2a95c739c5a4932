// Deleting an account. One transaction ends the member's open requests, offers and reviews, deletes their
// data module by module, and empties their row. docs/decisions/009-erasure.md explains what is deleted and
// what stays.
import { sql } from 'kysely'
import { deleteAccessOf } from '#server/accounts/erasure.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import { counterKeysOf } from '#server/accounts/limits.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { system } from '#server/kit/ctx.ts'
import { afterCommit, inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { isRefusal, refuse } from '#server/kit/refusal.ts'
import { deleteTraces } from '#server/kit/traces.ts'
import { findPartners, deleteRotationOf } from '#server/matching/erasure.ts'
import { erasePerson, requireAnotherAdmin } from '#server/members/erasure.ts'
import { endMembershipOf } from '#server/membership/erasure.ts'
import { keepRefund } from '#server/membership/refunds.ts'
import { eraseModerationOf } from '#server/moderation/erasure.ts'
import { deleteFlagsOf } from '#server/moderation/flags.ts'
import { keepRecord } from '#server/moderation/kept-records.ts'
import { deleteNotificationsOf, rewordNotifications } from '#server/notifications/erasure.ts'
import { deleteOrganizationOf } from '#server/organization/erasure.ts'
import { erasedTitle, eraseProductsOf } from '#server/products/erasure.ts'
import { endReviewsOf, deleteReviewsOf } from '#server/reviews/erasure.ts'
import { rememberIdentities } from '#server/reviews/identities.ts'
import { deleteSignInMethodsOf } from '#server/sign-in/erasure.ts'
import { eraseMessagesOf } from '#server/support/erasure.ts'
import { eraseExportsOf } from './export.ts'
import { mailErased } from './notices.ts'

/**
 * Deletes my account permanently. A member without a username confirms with the address. Refuses NOT_FRESH,
 * NAME_MISMATCH at `username`, and LAST_ADMIN.
 */
export function eraseAccount(ctx: MemberCtx, { username }: { username: string }): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await requireFresh(ctx)
    const me = await findPerson(ctx, ctx.who.id)
    if (!me) throw refuse('UNAUTHORIZED')
    if (username.trim() !== (me.username ?? me.email)) throw refuse('NAME_MISMATCH', { field: 'username' })
    await eraseMember(ctx, ctx.who.id)
  })
}

/**
 * Erases a member in any state. Sessions end with the transaction, files are deleted right after it. Returns
 * false if the member is unknown or already erased. Refuses LAST_ADMIN. `isAgain`: a backup brought them
 * back, so a review that is open may have been finished since.
 */
export function eraseMember(ctx: Ctx, memberId: string, { isAgain = false } = {}): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    await lockWithPartners(ctx, memberId)
    const person = await findPerson(ctx, memberId)
    if (!person) return false
    await requireAnotherAdmin(ctx, memberId)
    const notified = await readNotificationsAbout(ctx, memberId)

    const refundedCents = await endMembershipOf(ctx, memberId)
    // Their reviews end with the hashes, and what is kept depends on which of them they left unfinished.
    const { person: hashes } = await rememberIdentities(ctx, memberId)
    await keepRefund(ctx, { memberId, hashes })
    await eraseProductsOf(ctx, memberId)
    const unfinished = await endReviewsOf(ctx, memberId)
    await keepRecord(ctx, { memberId, hashes, unfinished: isAgain ? null : unfinished })

    await deleteRotationOf(ctx, memberId)
    await deleteOrganizationOf(ctx, memberId)
    await deleteFlagsOf(ctx, memberId)
    await deleteReviewsOf(ctx, memberId)
    await eraseModerationOf(ctx, memberId)
    await rewordNotifications(ctx, { ...notified, instead: erasedTitle })
    await deleteNotificationsOf(ctx, memberId)
    await eraseMessagesOf(ctx, { memberId, email: person.email })
    const exportIds = await eraseExportsOf(ctx, memberId)
    await erasePerson(ctx, memberId)
    await deleteAccessOf(ctx, memberId)
    await deleteSignInMethodsOf(ctx, { memberId, email: person.email })
    const counters = counterKeysOf(person.email)
    await deleteTraces(ctx, { memberId, email: person.email, counters, jobsOf: exportIds })

    // The log must not identify the erased member, so it has no actor and no network.
    const { client: _, ...unseen } = ctx
    await recordActivity({ ...unseen, who: system }, 'account_erased', { targetId: memberId }, null)
    if (person.emailVerified) await mailErased(ctx, { to: person.email, refundedCents })
    afterCommit(ctx, () => ctx.log.info({ memberId }, 'an account was erased'))
    return true
  })
}

/**
 * Erases again the members that a restored backup brought back, each in its own transaction. Skips unknown
 * and erased members. Returns how many it erased, and the only admin if that is one of them: another one has
 * to be made first.
 */
export async function eraseAgain(
  ctx: Ctx,
  memberIds: string[],
): Promise<{ erased: number; onlyAdmin: string | null }> {
  let erased = 0
  let onlyAdmin: string | null = null
  for (const memberId of new Set(memberIds)) {
    try {
      erased += (await eraseMember(ctx, memberId, { isAgain: true })) ? 1 : 0
    } catch (error) {
      if (!isRefusal(error, 'LAST_ADMIN')) throw error
      onlyAdmin = memberId
    }
  }
  return { erased, onlyAdmin }
}

function findPerson(ctx: Ctx, memberId: string) {
  return ctx.db
    .selectFrom('members')
    .select(['email', 'emailVerified', 'username'])
    .where('id', '=', memberId)
    .where('erasedAt', 'is', null)
    .executeTakeFirst()
}

/**
 * Locks the member and everyone they have an open offer or review with, in the usual order. Reads the
 * partners again under the member's lock, because one may have been added before it.
 */
async function lockWithPartners(ctx: Ctx, memberId: string) {
  const partners = await findPartners(ctx, memberId)
  await lockMembers(ctx, [memberId, ...partners])
  await lockMembers(ctx, await findPartners(ctx, memberId))
}

/** The names of the member's products, and the members whose notifications may contain them. */
async function readNotificationsAbout(ctx: Ctx, sellerId: string) {
  const products = await ctx.db
    .selectFrom('products')
    .select('title')
    .where('sellerId', '=', sellerId)
    .execute()
  const { rows } = await sql<{
    id: string
  }>`select distinct reviewer_id as id from offers where seller_id = ${sellerId}`.execute(ctx.db)
  return { names: products.map(({ title }) => title), memberIds: rows.map(({ id }) => id) }
}
