// A rule or our staff suspend a member for a term or until further notice, and staff lift it again. The
// member reads why and until when, in the product and by mail. An open offer is withdrawn without penalty;
// open reviews stay.
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { requireMember } from '#server/members/members.ts'
import { reinstateAfterTerm, reinstateMember, suspendMember } from '#server/members/suspension.ts'
import type { Suspension } from '#server/members/suspension.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { removePushDevices } from '#server/notifications/push-devices.ts'
import { settleTakenBack } from './disputes.ts'
import { notifyReinstated, notifySuspended } from './notices.ts'

/**
 * Suspends a member and notifies them. Of two suspensions the longer one counts; null when nothing changed.
 * The caller records who decided it; `automatic` is what no one did.
 */
function suspendAndNotify(ctx: Ctx, suspension: Suspension & { automatic: boolean }) {
  return inTransaction(ctx, async (ctx) => {
    // An offer that is being accepted comes first or is withdrawn.
    await lockMembers(ctx, [suspension.memberId])
    const suspended = await suspendMember(ctx, suspension)
    if (suspended) await removePushDevices(ctx, suspension.memberId)
    if (suspended) await notifySuspended(ctx, { ...suspension, ...suspended })
    return suspended
  })
}

/** Suspends a member by a rule of the club, without anyone deciding it. */
export async function suspendByRule(ctx: Ctx, suspension: Suspension): Promise<void> {
  await suspendAndNotify(ctx, { ...suspension, automatic: true })
}

/**
 * Suspends a member for these days, or until our staff lifts it. Refuses OWN_MATTER, NOT_FOUND, STAFF_ACCOUNT
 * to support when the member is staff too, and ALREADY_SUSPENDED for at least as long.
 */
export function suspendAsStaff(ctx: MemberCtx, suspension: Suspension): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { memberId, reason } = suspension
    await lockAllowed(ctx, memberId)
    const before = await readSuspension(ctx, memberId)
    const suspended = await suspendAndNotify(ctx, { ...suspension, automatic: false })
    if (!suspended) throw refuse('ALREADY_SUSPENDED')
    const after = { suspended: true, until: suspended.until }
    await recordStaffAction(ctx, { action: 'member_suspended', memberId, reason, before, after })
  })
}

/**
 * Lifts a suspension before its end, whatever it was for: a payment that was taken back counts as settled.
 * Refuses as `suspendAsStaff` does, and NOT_SUSPENDED.
 */
export function liftSuspension(ctx: MemberCtx, { memberId, reason }: { memberId: string; reason: string }) {
  return inTransaction(ctx, async (ctx) => {
    await lockAllowed(ctx, memberId)
    const before = await readSuspension(ctx, memberId)
    if (!(await reinstateMember(ctx, memberId))) throw refuse('NOT_SUSPENDED')
    await settleTakenBack(ctx, memberId)
    await notifyReinstated(ctx, [memberId])
    const after = { suspended: false, until: null }
    await recordStaffAction(ctx, { action: 'member_reinstated', memberId, reason, before, after })
  })
}

/** Lifts the suspensions whose term is over, and notifies their members. A repeated run changes nothing. */
export function liftEndedSuspensions(ctx: Ctx): Promise<void> {
  return inTransaction(ctx, async (ctx) => notifyReinstated(ctx, await reinstateAfterTerm(ctx)))
}

/** Locks a member of whom the caller may decide. */
async function lockAllowed(ctx: MemberCtx, memberId: string) {
  await refuseOwnMatter(ctx, [memberId])
  await lockMembers(ctx, [memberId])
  const { role } = await requireMember(ctx, memberId)
  if (role !== 'user' && ctx.who.role !== 'admin') throw refuse('STAFF_ACCOUNT')
}

async function readSuspension(ctx: Ctx, memberId: string) {
  const row = await ctx.db
    .selectFrom('members')
    .select(['suspendedAt', 'suspendedUntil as until'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  return { suspended: row.suspendedAt !== null, until: row.until }
}
