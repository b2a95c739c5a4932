// Confirming an address again after mail to it bounced. The link holds a one-time secret in its fragment.
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { clearBounce } from '#server/kit/mail/bounces.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMember } from '#server/members/members.ts'
import { mailAddressConfirmation } from './notices.ts'
import { claimSecret, findSecret } from './secrets.ts'

/** Sends a link to my address, also if it bounced. It replaces an older one. */
export async function askForAddress(ctx: MemberCtx) {
  await inTransaction(ctx, async (ctx) => {
    const { id: memberId, email: to } = await lockMember(ctx, ctx.who.id)
    await mailAddressConfirmation(ctx, { memberId, to })
  })
}

/** Confirms the address of a link's member, so that it gets mail again. Refuses LINK_EXPIRED. */
export async function confirmAddress(ctx: Ctx, { token }: { token: string }) {
  await inTransaction(ctx, async (ctx) => {
    const memberId = await findSecret(ctx, token, 'confirm_address')
    if (!memberId) throw refuse('LINK_EXPIRED')
    const { email } = await lockMember(ctx, memberId)
    if (!(await claimSecret(ctx, token, 'confirm_address'))) throw refuse('LINK_EXPIRED')
    await clearBounce(ctx, email)
    await recordActivity(ctx, 'address_confirmed_again', {}, memberId)
  })
}
