// The calls of the contract, and how they become procedures. `by` puts the gate before them that the table
// of rights names (contract/rights.ts), and nothing else makes one.
// `openCoupon: calls.openCoupon.after(limited(…)).by((ctx, { id }) => openCoupon(ctx, id))`
import type {
  AnyContractProcedure,
  AnySchema,
  ContractProcedure,
  ErrorMap,
  InferSchemaInput,
  InferSchemaOutput,
  Meta,
} from '@orpc/contract'
import type { Context, Middleware, ORPCErrorConstructorMap } from '@orpc/server'
import { ORPCError, Procedure } from '@orpc/server'
import type { z } from 'zod'
import { contract } from '#contract/index.ts'
import { done } from '#contract/kit.ts'
import { rights } from '#contract/rights.ts'
import type { GateName, Right } from '#contract/rights.ts'
import { staffContract } from '#contract/staff/index.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { Refusal } from '#server/kit/refusal.ts'
import { gates } from './gates.ts'
import type { Gate } from './gates.ts'
import { once } from './idempotency.ts'
import type { Limit } from './rate-limit.ts'
import { limitRate } from './rate-limit.ts'

/** What the HTTP edge hands to a call. `answer` collects what goes on the response, and which call it was. */
export type CallContext = {
  ctx: Ctx
  requestId: string
  headers: Headers
  idempotencyKey: string | undefined
  /** Of method, path and body: the same key with another hash is another request. */
  requestHash: Buffer
  answer: { headers: Headers; call?: string | undefined }
}

/** Runs before the gate and outside the transaction; it may refuse. `input` has not been validated yet. */
export type Check = (request: CallContext, input: unknown) => Promise<void>

/** Runs the rest of a call in its own way, such as for a minimum duration. */
type Wrap = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Answers a call. `request` has what the input has not: headers, and what was prepared before the
 * transaction.
 */
type Handler<C, Input, Output, Prepared = undefined> = (
  ctx: C,
  input: Input,
  request: Pick<CallContext, 'headers' | 'answer'> & { prepared: Prepared },
) => Promise<Output>

/**
 * `prepare` runs behind the gate and before the transaction: seconds of work must not hold a connection.
 * `discard` undoes it where the answer was not begun: the call is refused, or was answered before.
 */
type PreparedHandler<C, Input, Output, Prepared> = {
  prepare: (ctx: C, input: Input) => Promise<Prepared>
  discard?: (ctx: C, prepared: Prepared) => Promise<void>
  answer: Handler<C, Input, Output, Prepared>
}

/** The same, of an input that is read by `prepare`. */
type Procedural<C, Input, Output, P> = Omit<PreparedHandler<C, Input, Output, P>, 'prepare'> & {
  prepare: (ctx: C, input: unknown) => Promise<P>
}

/** Every call: the members' and the staff's. */
export const allCalls = { ...contract, ...staffContract }

type Contract = typeof allCalls
type Step = Middleware<CallContext, Context, unknown, unknown, ORPCErrorConstructorMap<ErrorMap>, Meta>
/** The gate leaves the work to the handler, which runs once the input was validated. */
type Allowed = CallContext & { work: (input: unknown) => Promise<unknown> }

class Call<Name extends string, C extends Ctx, Input, Output> {
  readonly #name: Name
  readonly #contract: AnyContractProcedure
  readonly #gate: Gate<C>
  readonly #steps: readonly Step[]

  constructor(name: Name, of: AnyContractProcedure, gate: Gate<C>, steps: readonly Step[] = [mapRefusals]) {
    this.#name = name
    this.#contract = of
    this.#gate = gate
    this.#steps = steps
  }

  /** The same call with a check before its gate. */
  after(check: Check): Call<Name, C, Input, Output> {
    return this.#with(async ({ context, next }, input) => {
      await check(context, input)
      return next()
    })
  }

  /** The same call with all that follows run by `wrap`. */
  within(wrap: Wrap): Call<Name, C, Input, Output> {
    return this.#with(({ next }) => wrap(async () => next()))
  }

  /**
   * The procedure: what is done for those who may call. Writes run in one transaction, once per
   * Idempotency-Key.
   * The gate comes before the input is validated, so a caller who may not pass learns nothing about it.
   */
  by(answer: Handler<C, Input, Output>): GatedProcedure<Name>
  by<P>(work: PreparedHandler<C, Input, Output, P>): GatedProcedure<Name>
  by<P>(work: Handler<C, Input, Output> | PreparedHandler<C, Input, Output, P>): GatedProcedure<Name> {
    if (typeof work === 'function') return this.#procedure({ prepare: async () => undefined, answer: work })
    const { prepare, ...rest } = work
    return this.#procedure({
      ...rest,
      prepare: async (ctx: C, input: unknown) => prepare(ctx, await this.#read(input)),
    })
  }

  #with(step: Step) {
    const steps = [...this.#steps, step]
    return new Call<Name, C, Input, Output>(this.#name, this.#contract, this.#gate, steps)
  }

  #procedure<P>({ prepare, discard, answer }: Procedural<C, Input, Output, P>) {
    const enter: Step = async ({ context, next }, given) => {
      const ctx = this.#gate.allow(context.ctx)
      const prepared = await prepare(ctx, given)
      let isBegun = false
      try {
        const output = await this.#run(ctx, context, async (ctx) => {
          const work = (input: Input) => {
            isBegun = true
            return answer(ctx, input, { ...context, prepared })
          }
          return (await next({ context: { work } })).output
        })
        return { output, context: {} }
      } finally {
        if (!isBegun) await discard?.(ctx, prepared)
      }
    }
    return new GatedProcedure(this.#name, this.#gate, this.#contract, [...this.#steps, enter])
  }

  #run(ctx: C, { idempotencyKey: key, requestHash }: CallContext, work: (ctx: C) => Promise<unknown>) {
    if (this.#contract['~orpc'].route.method === 'GET') return work(ctx)
    return inTransaction(ctx, (ctx) =>
      key ? once(ctx, { route: this.#name, key, requestHash }, () => work(ctx)) : work(ctx),
    )
  }

  async #read(input: unknown): Promise<Input> {
    const schema: AnySchema | undefined = this.#contract['~orpc'].inputSchema
    // A call without parameters has no schema.
    const read = schema ? await schema['~standard'].validate(input) : { value: undefined }
    if (read.issues) throw new ORPCError('BAD_REQUEST', { message: 'Input validation failed' })
    return read.value
  }
}

/** A call with its gate. Only `by` makes one, so a procedure without a gate does not compile. */
class GatedProcedure<Name extends string> extends Procedure<
  CallContext,
  Allowed,
  AnySchema,
  AnySchema,
  ErrorMap,
  Meta
> {
  readonly #name: Name
  readonly #gate: Gate

  constructor(name: Name, gate: Gate, of: AnyContractProcedure, middlewares: readonly Step[]) {
    const answersDone = of['~orpc'].outputSchema === done
    super({
      ...of['~orpc'],
      middlewares,
      inputValidationIndex: Number.POSITIVE_INFINITY,
      outputValidationIndex: 0,
      async handler({ context, input }) {
        const output = await context.work(input)
        return answersDone ? { ok: true } : output
      },
    })
    this.#name = name
    this.#gate = gate
  }

  /** The call of the contract that it answers, such as `matching.requestReview`. */
  get call(): Name {
    return this.#name
  }

  /** Who may call. */
  get gate(): Gate {
    return this.#gate
  }
}

/** The procedures of one group of the contract: every call, each with its gate. */
export type Procedures<G extends keyof Contract> = {
  readonly [C in keyof Contract[G]]: GatedProcedure<NameOf<G, C>>
}

/** The procedures of the whole contract. */
export type Router = { readonly [G in keyof Contract]: Procedures<G> }

type NameOf<G extends string, C> = `${G}.${C & string}`

type Api = {
  readonly [G in keyof Contract]: {
    readonly [C in keyof Contract[G]]: CallOf<NameOf<G, C>, CtxOf<G, C>, Contract[G][C]>
  }
}
type CallOf<Name extends string, C extends Ctx, P> =
  P extends ContractProcedure<infer I, infer O, infer _Errors, infer _Meta>
    ? Call<Name, C, InferSchemaOutput<I>, AnswerOf<InferSchemaInput<O>>>
    : never

/** Behind every gate but the one for anyone there is a member. */
type CtxOf<G extends keyof Contract, C extends keyof Contract[G]> = C extends keyof (typeof rights)[G]
  ? (typeof rights)[G][C] extends Right<'anyone'>
    ? Ctx
    : MemberCtx
  : never

/** A call that answers `done` has nothing to say: its handler returns nothing. */
type AnswerOf<Output> = [Output, Done] extends [Done, Output] ? void : Output
type Done = z.infer<typeof done>

/** Turns a refusal into the contract's error of the same code, with its sentence and status. */
const mapRefusals: Step = async ({ context, next }) => {
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
}

/** A limit per member, or per address for a visitor. It is counted before the gate opens the transaction. */
export function limited(name: string, limit: Limit): Check {
  return ({ ctx }) => limitRate(ctx.kit.db, `${name}:${ctx.who.id ?? ctx.client?.address ?? ''}`, limit)
}

/** The calls of the contract, by group and name. */
// The cast: a mapped object loses the type of each name's call.
export const api = Object.fromEntries(
  Object.entries(allCalls).map(([group, calls]) => [group, callsOf(group, calls)]),
) as Api

function callsOf(group: string, calls: Record<string, AnyContractProcedure>) {
  const named: Record<string, Record<string, { gate: GateName }>> = rights
  return Object.fromEntries(
    Object.entries(calls).map(([name, of]) => {
      const right = named[group]?.[name]
      if (!right) throw new Error(`No right is named for ${group}.${name}.`)
      return [name, new Call(`${group}.${name}`, of, gates[right.gate])]
    }),
  )
}
