import { usernameReservedDays } from '#contract/members.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail/mail.ts'

/** Informs the owner that the username was changed. It can't be switched off. */
export function mailUsernameChanged(
  ctx: Ctx,
  { memberId, to, old, next }: { memberId: string; to: string; old: string; next: string },
) {
  const props = { old, next, days: usernameReservedDays }
  return queueMail(ctx, { to, memberId, template: 'username-changed', props })
}
