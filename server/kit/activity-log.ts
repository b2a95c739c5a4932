import type { Ctx } from './ctx.ts'
import { newId } from './ctx.ts'
import { withoutSecrets } from './hidden-secrets.ts'
import { truncatedAddress } from './http/client-address.ts'

/** The only fields an entry may hold. No email, password, token or complete link is among them. */
const allowed = [
  'productId',
  'listingId',
  'productName',
  'marketplaceId',
  'platform',
  'couponUrl',
  'attemptedUrl',
  'requestId',
  'offerId',
  'reviewId',
  'caseId',
  'targetId',
  'sessionId',
  'method',
  'provider',
  'oldRole',
  'newRole',
  'oldValue',
  'newValue',
  'reason',
  'error',
  'filter',
  'rows',
] as const

type ActivityMetadata = Partial<Record<(typeof allowed)[number], string | number | boolean | null>>

/**
 * Records an action in the activity log, with its actor and origin, for the member's safety and for staff.
 * `action` is an underscore-separated code. Texts are cut at 300 characters, and the query of a link is never
 * kept. `memberId` is the member concerned if that is not the actor: a failed sign-in has no member yet.
 */
export async function recordActivity(
  ctx: Ctx,
  action: string,
  metadata: ActivityMetadata,
  memberId: string | null = ctx.who.id,
) {
  const kept = allowed.flatMap((field) => {
    const value = metadata[field]
    return value === undefined ? [] : [[field, typeof value === 'string' ? fitForLog(value) : value]]
  })
  await ctx.db
    .insertInto('activityLogs')
    .values({
      id: newId(),
      memberId,
      action,
      metadata: JSON.stringify(Object.fromEntries(kept)),
      ipAddress: ctx.client ? truncatedAddress(ctx.client.address) : null,
      userAgent: ctx.client ? cut(plain(ctx.client.userAgent), 400) : null,
    })
    .execute()
}

function fitForLog(text: string) {
  return cut(withoutSecrets(plain(text)).replace(/\?[^\s?]*=\S*/g, '?…'), 300)
}

// NUL cannot be stored, and half of a surrogate pair is no text.
function plain(text: string) {
  return text.toWellFormed().replace(/\p{Cc}/gu, ' ')
}

function cut(text: string, length: number) {
  return text.slice(0, length).toWellFormed()
}
