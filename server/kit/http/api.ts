import { implement, ORPCError } from '@orpc/server'
import { contract } from '#contract/index.ts'
import type { Ctx, Member, MemberCtx } from '#server/kit/ctx.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { once } from './idempotency.ts'
import type { Limit } from './rate-limit.ts'
import { limitRate } from './rate-limit.ts'
import { Refusal, refuse } from '#server/kit/refusal.ts'

/**
 * What the HTTP edge hands to a call. `answer` collects what the edge puts on the response, and which call it
 * was.
 */
export type CallContext = {
  ctx: Ctx
  requestId: string
  headers: Headers
  idempotencyKey: string | undefined
  /** Of method, path and body: the same key with another hash is another request. */
  requestHash: Buffer
  answer: { headers: Headers; call?: string | undefined }
}

// The gates run before the input is read: who may not call learns nothing about its shape.
const implementer = implement(contract)
  .$context<CallContext>()
  .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY })

/** Turns a refusal into the contract's error of the same code, with its sentence and status. */
const mapRefusals = implementer.middleware(async ({ context, next }) => {
  try {
    return await next()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.retryAfter) context.answer.headers.set('retry-after', String(error.retryAfter))
    throw new ORPCError(error.code, {
      status: error.status,
      message: error.message,
      data: error.data,
      defined: true,
    })
  }
})

/**
 * The contract, ready to be implemented: `api.matching.requestReview.use(member).handler(…)`. Every procedure
 * names its gate.
 */
export const api = implementer.use(mapRefusals)

const reads = new Set(['GET', 'HEAD'])

/** Gate: anybody. Writes run in one transaction, once per Idempotency-Key. */
export const anyone = implementer.middleware(async ({ context, next, path, procedure }) => {
  if (reads.has(procedure['~orpc'].route.method ?? '')) return next({ context: { ctx: context.ctx } })
  const answered = await write(context.ctx, context, path, async (ctx) => {
    const result = await next({ context: { ctx } })
    return result.output
  })
  return { output: answered, context: { ctx: context.ctx } }
})

/** Gate: somebody signed in, of any role. Writes run in one transaction, once per Idempotency-Key. */
export const member = implementer.middleware<{ ctx: MemberCtx }, unknown>(
  async ({ context, next, path, procedure }) => {
    if (context.ctx.who.id === null) throw refuse('UNAUTHORIZED')
    const ctx = memberOf(context.ctx)
    if (reads.has(procedure['~orpc'].route.method ?? '')) return next({ context: { ctx } })
    const answered = await write(ctx, context, path, async (inside) => {
      const result = await next({ context: { ctx: inside } })
      return result.output
    })
    return { output: answered, context: { ctx } }
  },
)

/** Gate: our staff, support or admin, with a second factor. */
export const staff = implementer.middleware(async ({ context, next }) => {
  requireRole(context.ctx, ['support', 'admin'])
  return next({ context: { ctx: memberOf(context.ctx) } })
})

/** Gate: admins alone, with a second factor. */
export const admin = implementer.middleware(async ({ context, next }) => {
  requireRole(context.ctx, ['admin'])
  return next({ context: { ctx: memberOf(context.ctx) } })
})

function requireRole(ctx: Ctx, roles: Member['role'][]) {
  if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
  if (!roles.includes(ctx.who.role)) throw refuse('FORBIDDEN')
  if (!ctx.who.twoFactor) throw refuse('TWO_FACTOR_NEEDED')
}

function write<C extends Ctx, T>(
  ctx: C,
  call: CallContext,
  path: readonly string[],
  work: (ctx: C) => Promise<T>,
) {
  const { idempotencyKey: key, requestHash } = call
  return inTransaction(ctx, (inside) =>
    key ? once(inside, { route: path.join('.'), key, requestHash }, () => work(inside)) : work(inside),
  )
}

/** A limit per member (or per address, for a visitor), counted before the gate opens the transaction. */
export function limited(name: string, limit: Limit) {
  return implementer.middleware(async ({ context: { ctx }, next }) => {
    await limitRate(ctx.kit.db, `${name}:${ctx.who.id ?? ctx.client?.address ?? ''}`, limit)
    return next()
  })
}
