import { usernameReservedDays } from '#contract/settings.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail.ts'

/** Tells the owner that the username is another one now. It cannot be switched off. */
export async function mailUsernameChanged(
  ctx: Ctx,
  { memberId, to, old, next }: { memberId: string; to: string; old: string; next: string },
) {
  await queueMail(ctx, {
    to,
    memberId,
    template: 'username-changed',
    props: { old, next, days: usernameReservedDays },
    dedupeKey: `username-changed:${newId()}`,
  })
}
