import type { Ctx } from './ctx.ts'
import { refuse } from './refusal.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether an Idempotency-Key header is one. */
export function isIdempotencyKey(key: string) {
  return uuid.test(key)
}

/**
 * Does a write once per key, within the open transaction: the answer is stored with the effect, so after a crash there are both
 * or neither. The same key and request replay the stored answer; the same key with another request is IDEMPOTENCY_REUSED.
 * A second call that arrives while the first is at work waits for it. A refusal stores nothing and is decided anew.
 */
export async function once<T>(
  ctx: Ctx,
  call: { route: string; key: string; requestHash: Buffer },
  work: () => Promise<T>,
): Promise<T> {
  const { route, key, requestHash } = call
  const scope = ctx.who.id ?? `visitor:${ctx.client?.address ?? ''}`
  const claimed = await ctx.db
    .insertInto('idempotencyKeys')
    .values({ scope, route, key, requestHash })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows === 0n) {
    const stored = await ctx.db
      .selectFrom('idempotencyKeys')
      .select(['requestHash', 'answer'])
      .where('scope', '=', scope)
      .where('route', '=', route)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    if (!stored.requestHash.equals(requestHash)) throw refuse('IDEMPOTENCY_REUSED')
    // The answer was this very call's output when it was stored.
    return (stored.answer as { answer: T }).answer
  }
  const answer = await work()
  await ctx.db
    .updateTable('idempotencyKeys')
    .set({ answer: JSON.stringify({ answer: answer ?? null }) })
    .where('scope', '=', scope)
    .where('route', '=', route)
    .where('key', '=', key)
    .execute()
  return answer
}
