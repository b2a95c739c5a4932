// The check that each part gets once a minute: what its users do with it, on a small scale.
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StatusPart } from '#contract/site.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { longestMailWait } from '#server/kit/mail/mail.ts'
import type { Transport } from '#server/kit/mail/mail.ts'
import { crossRelay } from '#server/kit/live/relay-probe.ts'

/** The result of checking a part. `note` is shown only to the operator. */
export type Check = { part: StatusPart; ok: boolean; tookMs: number; note: string | null }

const longestSeconds = 10
/** After this many seconds, a mail or job that should be handled at once counts as stuck. */
export const overdueSeconds = 300

/** Checks a part and never throws: an error, or no answer within these seconds, is a failed check. */
export async function check(
  part: StatusPart,
  ask: (abandoned: AbortSignal) => Promise<void>,
  seconds = longestSeconds,
): Promise<Check> {
  const started = performance.now()
  const note = await inTime(ask, seconds).then(
    () => null,
    (error: unknown) => noteOf(error),
  )
  return { part, ok: note === null, tookMs: Math.round(performance.now() - started), note }
}

/** No answer came in time. The part may hang instead of failing. */
export class Late extends Error {
  override name = 'Late'
}

/** The answer, or throws Late after these seconds: a database that hangs reports no error. */
export async function inTime<T>(ask: (abandoned: AbortSignal) => Promise<T>, seconds: number): Promise<T> {
  const abandon = new AbortController()
  const late = wait(seconds * 1000, null, { signal: abandon.signal, ref: false }).then(() => {
    throw new Late(`No answer within ${seconds} seconds.`)
  })
  try {
    return await Promise.race([ask(abandon.signal), late])
  } finally {
    abandon.abort()
  }
}

function noteOf(error: unknown) {
  const text = error instanceof Error ? error.message || error.name : 'It failed.'
  return text.replaceAll('\0', '').slice(0, 200)
}

/** The database answers a query. */
export async function askDatabase(ctx: Ctx) {
  await sql`select 1`.execute(ctx.db)
}

/** A mail server accepts our mail, and no mail has been waiting too long. */
export async function askMail(ctx: Ctx, transport: Transport) {
  await transport.verify(ctx)
  const seconds = await longestMailWait(ctx)
  if (seconds > overdueSeconds) throw new Error(`A mail has been waiting for ${Math.round(seconds)} seconds.`)
}

/** Committed events reach their listeners. */
export function askLive(ctx: Ctx, connection: Connection, abandoned: AbortSignal) {
  return crossRelay(connection, ctx, abandoned)
}

/** A written file reads back unchanged and can be removed. */
export async function askFiles({ kit: { files } }: Ctx) {
  const key = newFileKey()
  const bytes = Buffer.from(`A check of ${key}.`)
  await files.put(key, bytes)
  try {
    const found = await files.get(key)
    if (!found?.equals(bytes)) throw new Error('A file read back differs from what was written.')
  } finally {
    await files.remove(key)
  }
}

/** Our server answers a visitor at this address. */
export async function askWebsite(address: string, abandoned: AbortSignal) {
  const answer = await fetch(address, { signal: abandoned, redirect: 'error' })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`It answered ${answer.status}.`)
}
