// What our staff does about a member's account and membership beyond one module.
import { endSessions } from '#server/accounts/sessions.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import { resendVerification as resend } from '#server/accounts/verification.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { lockMember, requireMember } from '#server/members/members.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { notify } from '#server/notifications/notices.ts'

/** Signs a member out everywhere. Refuses NOT_FRESH, OWN_MATTER and NOT_FOUND. */
export function endSessionsAsStaff(ctx: MemberCtx, { id, reason }: { id: string; reason: string }) {
  return inTransaction(ctx, async (ctx) => {
    await requireFresh(ctx)
    await refuseOwnMatter(ctx, [id])
    await lockMember(ctx, id)
    await endSessions(ctx, id)
    await recordActivity(ctx, 'signed_out_by_staff', {}, id)
    await notify(ctx, {
      memberId: id,
      key: `sessions.ended:${newId()}`,
      kind: null,
      notice: {
        title: 'You were signed out everywhere',
        message: `Our staff signed you out on all devices. The reason: ${reason}`,
        priority: 'high',
        action: { label: 'Check your security', href: '/settings/security' },
      },
    })
    await recordStaffAction(ctx, { action: 'sessions_ended', memberId: id, reason })
  })
}

/** Sends the confirmation link of an unconfirmed address again. Refuses OWN_MATTER and ALREADY_CONFIRMED. */
export function resendVerificationAsStaff(ctx: MemberCtx, { id }: { id: string }) {
  return inTransaction(ctx, async (ctx) => {
    await refuseOwnMatter(ctx, [id])
    const { email, emailVerified } = await requireMember(ctx, id)
    if (emailVerified) throw refuse('ALREADY_CONFIRMED')
    await resend(ctx, { email })
    await recordStaffAction(ctx, { action: 'verification_resent', memberId: id })
  })
}
