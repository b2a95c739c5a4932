import { randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { EventName, LiveMessage } from '#contract/live.ts'
import type { DB } from '#db/types.ts'
import type { Config } from './config.ts'
import type { Files } from './uploads/files.ts'
import type { EventFields } from './live/event-fields.ts'
import type { Log } from './log.ts'

/** The actor. `id` and `role` come only from the session's row, read in this request. */
type Visitor = { role: 'visitor'; id: null }
export type Member = {
  role: 'user' | 'support' | 'admin'
  id: string
  sessionId: string | null
  /** Whether the account has a second factor. Staff calls require it. */
  twoFactor: boolean
}
/** The product itself, in jobs and reactions. */
type System = { role: 'system'; id: null }
export type Who = Visitor | Member | System

/** Where a request came from; absent in jobs. */
type Client = { address: string; userAgent: string }

/** An event as it is stored and sent: its message, and who receives it. */
export type StoredEvent = LiveMessage & { id: string; recipients: string[] }

/** An open transaction, with the hooks to run once it has ended. */
export type OpenTransaction = {
  savepoints: number
  afterCommit: (() => void | Promise<void>)[]
  afterRollback: (() => Promise<void>)[]
}

/** The request that led to what is done, for the log; with the span above it where spans are sent. */
export type Cause = { requestId: string; span?: string }

/** Everything a domain function may use. No module reads the request or the environment itself. */
export type Ctx<W extends Who = Who> = {
  db: Kysely<DB>
  who: W
  log: Log
  config: Config
  kit: Kit
  client?: Client
  /** Absent in what no request led to, such as a job on its schedule. */
  cause?: Cause
  tx?: OpenTransaction
}
export type MemberCtx = Ctx<Member>

/** The parts of the running process that every context shares. */
export type Kit = {
  db: Kysely<DB>
  /** Used through `onReplica`; absent where the operator named none. */
  replica?: Replica
  jobs: Jobs
  files: Files
  /** Of each module, bottom to top. */
  reactions: readonly Reactions[]
  /**
   * Hands an event to the relay of this process right after its commit; absent where the relay runs
   * elsewhere.
   */
  handOver?: (event: StoredEvent) => void
}

/** Copies of the database of which one follows it. */
export type Replica = {
  /** The one that has what was committed half a minute ago, if any. Costs nothing: it was asked before. */
  fresh(): Kysely<DB> | undefined
  /** It is not to be used until it answers again. */
  leave(db: Kysely<DB>): void
  close(): Promise<void>
}

/** Ids only, in camelCase: a payload is stored as it is and may outlive the rows it names. */
export type JobData = Record<string, string | number | boolean | null>

/** The sending side of the jobs. A job runs as soon as possible, or from `notBefore` on. */
export type Jobs = {
  send(ctx: Ctx, name: string, data?: JobData, when?: { notBefore: Date }): Promise<void>
  stop(): Promise<void>
}

/** What a module does, in the same transaction, when a lower one emits an event. */
export type Reactions = { [N in EventName]?: (ctx: Ctx, fields: EventFields<N>) => Promise<void> }

export const system: System = { role: 'system', id: null }
export const visitor: Visitor = { role: 'visitor', id: null }

/** A context of the system, for jobs and start-up work. */
export function systemCtx(kit: Kit, config: Config, log: Log): Ctx<System> {
  return { db: kit.db, kit, config, log, who: system }
}

/** The same context with another actor. */
export function actAs<W extends Who>(ctx: Ctx, who: W): Ctx<W> {
  return { ...ctx, who }
}

/** The same context, typed with its member; throws if there is none, which is a bug. */
export function memberOf(ctx: Ctx): MemberCtx {
  if (!isMembers(ctx)) throw new Error('A member was expected here.')
  return ctx
}

const isMembers = (ctx: Ctx): ctx is MemberCtx => ctx.who.id !== null

/**
 * A new row's id: a UUID of version 7, so that rows of one time lie together.
 * It is a name and not a secret: secrets are 32 random bytes.
 */
export function newId(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Whether a text has the form of a row's id. Other texts must not reach a query for one. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

export const newRequestId = () => randomUUID()
