// The page about health reads each of its parts by itself and within a few seconds, so that it works while
// the database is slow and shows what could not be read.
import { sql } from 'kysely'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { databaseNow, inTransaction, isDatabaseDown, limitStatements } from '#server/kit/db/db.ts'
import { readQueues } from '#server/kit/failed-jobs.ts'
import { readInvariantRuns } from '#server/kit/invariant-runs.ts'
import { readOutbox } from '#server/kit/mail/failed-mails.ts'
import { refuse } from '#server/kit/refusal.ts'
import type { Weights } from '#contract/staff/rotation.ts'
import {
  adviseClub as readAdvice,
  explainWaiting,
  simulateRotation as simulate,
} from '#server/matching/waiting.ts'
import { inTime, Late } from '#server/site/checks.ts'
import { readBackups } from '#server/site/backups.ts'
import { listProcesses } from '#server/site/processes.ts'
import { readStorage } from '#server/site/storage.ts'
import { readDatabase } from './database-size.ts'
import { notMine } from './exchanges/rows.ts'

/** Seconds for each part, and for the rotation, whose question is larger. */
export const longest = { part: 3, rotation: 8 }

export const getProcesses = (ctx: MemberCtx) =>
  within(ctx, longest.part, async (ctx) => ({
    processes: await listProcesses(ctx),
    serverTime: await databaseNow(ctx),
  }))
export const getQueues = (ctx: MemberCtx) => within(ctx, longest.part, readQueues)
export const getOutbox = (ctx: MemberCtx) => within(ctx, longest.part, readOutbox)
export const getDatabase = (ctx: MemberCtx) => within(ctx, longest.part, readDatabase)
export const getInvariants = (ctx: MemberCtx) => within(ctx, longest.part, readInvariantRuns)
export const getStorage = (ctx: MemberCtx) => within(ctx, longest.part, readStorage)
export const getBackups = (ctx: MemberCtx) => within(ctx, longest.part, readBackups)
/** Without the requests of exchanges that the caller is part of. */
export const getRotation = (ctx: MemberCtx) =>
  within(ctx, longest.rotation, (ctx) => explainWaiting(ctx, notMine(ctx)))
export const adviseClub = (ctx: MemberCtx) => within(ctx, longest.part, readAdvice)
/**
 * In one snapshot that cannot write, so that it neither sees nor disturbs a draw meanwhile. Lists no requests
 * of exchanges that the caller is part of, or they would see when one of theirs is drawn.
 */
export const simulateRotation = (ctx: MemberCtx, other: Weights) =>
  within(ctx, longest.rotation, (ctx) => simulate(ctx, other, notMine(ctx)), { snapshot: true })

/** Reads within these seconds: PostgreSQL cancels what takes longer. Refuses UNAVAILABLE then. */
export async function within<T>(
  ctx: MemberCtx,
  seconds: number,
  read: (ctx: MemberCtx) => Promise<T>,
  { snapshot = false }: { snapshot?: boolean } = {},
): Promise<T> {
  try {
    return await inTime(
      () =>
        inTransaction(ctx, async (ctx) => {
          if (snapshot && ctx.tx?.savepoints === 0)
            await sql`set transaction isolation level repeatable read, read only`.execute(ctx.db)
          await limitStatements(ctx, seconds)
          return read(ctx)
        }),
      seconds + 1,
    )
  } catch (error) {
    if (error instanceof Late || isDatabaseDown(error)) throw refuse('UNAVAILABLE', undefined, 2)
    throw error
  }
}
