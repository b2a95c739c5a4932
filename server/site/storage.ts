// How many files there are and how much space they take. Counting them reads every folder, so a job does it.
import { sql } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { inTime } from './checks.ts'

/** Counts the files and keeps the result. */
export async function countFiles(ctx: Ctx): Promise<void> {
  let [files, bytes] = [0, 0]
  for await (const { size } of ctx.kit.files.list('')) {
    files += 1
    bytes += size
  }
  await sql`insert into storage_figures (files, bytes) values (${files}, ${bytes})
    on conflict (single) do update set files = excluded.files, bytes = excluded.bytes,
      measured_at = excluded.measured_at`.execute(ctx.db)
}

/** Asks a worker to count the files now. */
export function measureStorage(ctx: MemberCtx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.kit.jobs.send(ctx, 'count-files')
    await recordStaffAction(ctx, { action: 'storage_measured' })
  })
}

/** The latest count, null before the first; and the space on the disk, null where it cannot be read. */
export async function readStorage(ctx: Ctx) {
  const { rows } = await sql<{ files: number; bytes: number; at: string }>`
    select files, bytes, measured_at as at from storage_figures`.execute(ctx.db)
  const disk = await inTime(() => ctx.kit.files.space(), 2).catch((err: unknown) => {
    ctx.log.warn({ err }, 'the space on the disk of the files could not be read')
    return null
  })
  return { measured: rows[0] ?? null, disk }
}
