// An admin gives another member a role. The member is signed out everywhere, and every admin gets a mail.
import type { Role } from '#contract/members.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { afterCommit, inTransaction } from '#server/kit/db/db.ts'
import { queueMails } from '#server/kit/mail/mail.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { lockMember } from '#server/members/members.ts'
import { listAdmins, setRole } from '#server/members/roles.ts'
import { requireFresh } from './identity.ts'
import { endSessions } from './sessions.ts'

type RoleChange = { id: string; from: Role; role: Role; reason: string }

/**
 * Refuses NOT_FRESH, OWN_ROLE and ONLY_ADMIN, and CONFLICT when the member's role is no longer `from`.
 */
export function changeRole(ctx: MemberCtx, { id, from, role, reason }: RoleChange): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await requireFresh(ctx)
    await setRole(ctx, { id, from, to: role })
    const member = await lockMember(ctx, id)
    await endSessions(ctx, id)
    await recordStaffAction(ctx, {
      action: 'role_changed',
      memberId: id,
      reason,
      before: { role: from },
      after: { role },
    })
    await recordActivity(ctx, 'role_changed', { oldRole: from, newRole: role }, id)
    await notifyOfRole(ctx, { member, from, role })
    afterCommit(ctx, () =>
      ctx.log.info({ memberId: id, actorId: ctx.who.id, oldRole: from, newRole: role }, 'a role was changed'),
    )
  })
}

type Changed = { member: { id: string; email: string }; from: Role; role: Role }

/** The mails name no member: they stay with their recipients when an account is erased. */
async function notifyOfRole(ctx: MemberCtx, { member, from, role }: Changed) {
  const others = (await listAdmins(ctx)).filter(({ id }) => id !== member.id)
  await queueMails(ctx, [
    { to: member.email, memberId: member.id, template: 'own-role-changed', props: { from, role } },
    ...others.map(({ id, email }) => ({
      to: email,
      memberId: id,
      template: 'role-changed',
      props: { memberId: member.id, from, role, isMine: id === ctx.who.id },
    })),
  ])
}
