import type { Reactions } from '#server/kit/ctx.ts'
import { eraseProductsOf } from './products.ts'

/** When an account is erased, what its member sold is erased too. */
export const productReactions: Reactions = {
  'member.changed': [
    async (ctx, { memberId = '' }) => {
      const erased = await ctx.db
        .selectFrom('members')
        .select('id')
        .where('id', '=', memberId)
        .where('erasedAt', 'is not', null)
        .executeTakeFirst()
      if (erased) await eraseProductsOf(ctx, memberId)
    },
  ],
}
