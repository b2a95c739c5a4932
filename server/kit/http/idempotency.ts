import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '#server/kit/config.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether an Idempotency-Key header is one. */
export function isIdempotencyKey(key: string) {
  return uuid.test(key)
}

/**
 * Does a write once per key, within the open transaction: the answer is stored with the effect, so after a
 * crash there are both or neither. The same key and request replay the stored answer; the same key with
 * another request is IDEMPOTENCY_REUSED. A second call that arrives while the first is at work waits for it.
 * A refusal stores nothing and is decided again. Answers are stored sealed, because some of them are secrets
 * that are shown once.
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
    // A text was stored, and in it this very call's output.
    return unseal(ctx.config, stored.answer as string) as T
  }
  const answer = await work()
  await ctx.db
    .updateTable('idempotencyKeys')
    .set({ answer: JSON.stringify(seal(ctx.config, answer ?? null)) })
    .where('scope', '=', scope)
    .where('route', '=', route)
    .where('key', '=', key)
    .execute()
  return answer
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

function seal(config: Config, answer: unknown): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(config), nonce)
  const sealed = [cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64')
}

function unseal(config: Config, text: string): unknown {
  const bytes = Buffer.from(text, 'base64')
  const afterNonce = nonceBytes + tagBytes
  const decipher = createDecipheriv(algorithm, keyOf(config), bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(nonceBytes, afterNonce))
  const opened = [decipher.update(bytes.subarray(afterNonce)), decipher.final()]
  return JSON.parse(Buffer.concat(opened).toString())
}

function keyOf({ authSecret }: Config) {
  return Buffer.from(hkdfSync('sha256', authSecret, '', 'answers to repeated requests', 32))
}
