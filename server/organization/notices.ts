import type { Ctx } from '#server/kit/ctx.ts'
import { notify, settleNotices } from '#server/notifications/notices.ts'

type Asked = { id: string; memberId: string }

/** Asks a member whether they belong to the household or team of the one who named them. */
export function askHousehold(ctx: Ctx, { id, memberId }: Asked) {
  return notify(ctx, {
    memberId,
    key: `household.asked:${id}`,
    kind: null,
    notice: {
      title: 'Are you in the same household or team?',
      // The name is on the page alone, so that it leaves with the account of who asks.
      message:
        'A member says that you belong to the same household or team. You’re never matched while that ' +
        'stands. Confirm it, or say that it isn’t so.',
      priority: 'medium',
      action: { label: 'See who, and answer', href: '/org' },
    },
  })
}

/** Settles the question once it is answered or withdrawn. */
export function settleHousehold(ctx: Ctx, { id, memberId }: Asked) {
  return settleNotices(ctx, { memberIds: [memberId], keys: [`household.asked:${id}`] })
}
