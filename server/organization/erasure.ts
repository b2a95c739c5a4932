import type { Ctx } from '#server/kit/ctx.ts'
import { settleHousehold } from './notices.ts'

/** Deletes what a leaving member declared, and what others declared about them. */
export async function deleteOrganizationOf(ctx: Ctx, memberId: string): Promise<void> {
  const asked = await ctx.db
    .deleteFrom('declarations')
    .where('memberId', '=', memberId)
    .returning(['id', 'aboutMemberId'])
    .execute()
  for (const { id, aboutMemberId } of asked)
    if (aboutMemberId) await settleHousehold(ctx, { id, memberId: aboutMemberId })
  await ctx.db.deleteFrom('declarations').where('aboutMemberId', '=', memberId).execute()
  await ctx.db.deleteFrom('shops').where('memberId', '=', memberId).execute()
}
