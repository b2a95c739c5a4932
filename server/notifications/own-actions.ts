import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { notify } from './notices.ts'
import type { Notification } from './notices.ts'

type OwnAction = Pick<NonNullable<Notification['activity']>, 'type' | 'title' | 'description' | 'href'>

/** Writes an action of mine to my activity, in its transaction. No one is notified. */
export function recordOwnAction(ctx: MemberCtx, action: OwnAction): Promise<void> {
  const activity = { ...action, status: 'info' as const }
  return notify(ctx, { memberId: ctx.who.id, key: `own:${newId()}`, kind: null, activity })
}
