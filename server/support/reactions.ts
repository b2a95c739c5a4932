import type { Reactions } from '#server/kit/ctx.ts'

/** When an account is erased, what its member wrote to our staff is erased too. */
export const supportReactions: Reactions = {
  'member.changed': [
    async (ctx, { memberId = '' }) => {
      await ctx.db
        .deleteFrom('supportMessages')
        .where('memberId', '=', memberId)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('members')
              .select('members.id')
              .where('members.id', '=', memberId)
              .where('members.erasedAt', 'is not', null),
          ),
        )
        .execute()
    },
  ],
}
