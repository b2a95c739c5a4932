import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { truncatedAddress } from '#server/kit/client-address.ts'

export type ActivityMetadata = Record<string, string | number | boolean | null>

/**
 * Writes down what was done, by whom and from where, for members' safety and the staff's eyes: the last part of the address is
 * hidden. `metadata` never holds a password, a token, an e-mail address or an unmasked coupon link.
 */
export async function recordActivity(
  ctx: Ctx,
  action: string,
  metadata: ActivityMetadata = {},
  memberId: string | null = ctx.who.id,
) {
  await ctx.db
    .insertInto('activityLogs')
    .values({
      id: newId(),
      memberId,
      action,
      metadata: JSON.stringify(metadata),
      ipAddress: ctx.client ? truncatedAddress(ctx.client.address) : null,
      userAgent: ctx.client?.userAgent ?? null,
    })
    .execute()
}
