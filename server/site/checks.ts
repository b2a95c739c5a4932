// What is asked of each part once a minute: what its users ask of it, on a small scale.
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StatusPart } from '#contract/site.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { longestMailWait } from '#server/kit/mail/mail.ts'
import type { Transport } from '#server/kit/mail/mail.ts'
import { crossRelay } from '#server/kit/live/relay-probe.ts'

/** What came of asking a part. `note` is for the operator and shown to nobody else. */
export type Check = { part: StatusPart; ok: boolean; tookMs: number; note: string | null }

const longestSeconds = 10
/** After so many seconds something that was to be done at once counts as not being done. */
export const overdueSeconds = 300

/** Asks a part, and never fails: what fails, or has not answered within these seconds, is the answer. */
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

/** Nothing came back in time: what was asked may hang rather than fail. */
export class Late extends Error {
  override name = 'Late'
}

/** The answer, or Late when there is none within these seconds. A database that hangs tells nobody that it does. */
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

/** The database answers a question. */
export async function askDatabase(ctx: Ctx) {
  await sql`select 1`.execute(ctx.db)
}

/** A server takes our mail, and no mail is left lying. */
export async function askMail(ctx: Ctx, transport: Transport) {
  await transport.verify(ctx)
  const seconds = await longestMailWait(ctx)
  if (seconds > overdueSeconds) throw new Error(`A mail has been waiting for ${Math.round(seconds)} seconds.`)
}

/** What is committed reaches those who listen. */
export function askLive(ctx: Ctx, connection: Connection, abandoned: AbortSignal) {
  return crossRelay(connection, ctx, abandoned)
}

/** A file that was written is read back as it was, and can be removed. */
export async function askFiles({ kit: { files } }: Ctx) {
  const key = newFileKey()
  const bytes = Buffer.from(`A check of ${key}.`)
  await files.put(key, bytes)
  try {
    const found = await files.get(key)
    if (!found?.equals(bytes)) throw new Error('A file was not read as it had been written.')
  } finally {
    await files.remove(key)
  }
}

/** Our own server answers a visitor at this address. */
export async function askWebsite(address: string, abandoned: AbortSignal) {
  const answer = await fetch(address, { signal: abandoned, redirect: 'error' })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`It answered ${answer.status}.`)
}
