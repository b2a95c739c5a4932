// An export is an archive of all data about a member. A job makes it and mails its link. The signed-in owner
// can download it once, within 24 hours. Its file key is stored with the request, so that no file is ever
// orphaned.
import { sql } from 'kysely'
import { exportLinkHours } from '#contract/privacy.ts'
import type { DataExport } from '#contract/privacy.ts'
import { retention } from '#contract/retention.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import { hashOfSecret, newSecret } from '#server/accounts/secrets.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { afterRollback, databaseNow, inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { olderThan, removeOldRows } from '#server/kit/db/old-rows.ts'
import { emit } from '#server/kit/live/events.ts'
import { removeAfterCommit } from '#server/kit/uploads/file-removal.ts'
import { newFileKey, StorageDown, StorageFull } from '#server/kit/uploads/files.ts'
import type { OpenFile } from '#server/kit/uploads/files.ts'
import { refuse } from '#server/kit/refusal.ts'
import { makeArchive } from './archive.ts'
import { notifyExportFailed, notifyExportReady } from './notices.ts'
import { findExport } from './reads.ts'

/**
 * Requests an archive of my data, or returns the one in preparation. An archive that is ready but not
 * downloaded expires. Refuses NOT_FRESH.
 */
export function requestExport(ctx: MemberCtx): Promise<DataExport> {
  const memberId = ctx.who.id
  return inTransaction(ctx, async (ctx) => {
    await requireFresh(ctx)
    await lockMembers(ctx, [memberId])
    await endReady(ctx, memberId)
    const id = newId()
    const asked = await ctx.db
      .insertInto('dataExports')
      .values({ id, memberId, fileKey: newFileKey() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (asked.numInsertedOrUpdatedRows === 1n) {
      await recordActivity(ctx, 'data_export_requested', { targetId: id })
      await emit(ctx, 'export.changed', { exportId: id }, [memberId])
      await ctx.kit.jobs.send(ctx, 'make-export', { exportId: id })
    }
    const mine = await findExport(ctx)
    if (!mine) throw refuse('CONFLICT')
    return mine
  })
}

async function endReady(ctx: Ctx, memberId: string) {
  const { rows } = await sql<{ fileKey: string }>`
    update data_exports d set state = 'expired', file_key = null, hash = null from data_exports old
    where d.member_id = ${memberId} and d.state = 'ready' and old.id = d.id returning old.file_key`.execute(
    ctx.db,
  )
  removeAfterCommit(
    ctx,
    rows.map(({ fileKey }) => fileKey),
  )
}

/**
 * Makes an archive and mails its link. It can run twice. Deletes the archive if its owner was erased
 * meanwhile. If there is no space for it, the export fails and can be requested again.
 */
export async function makeExport(ctx: Ctx, exportId: string): Promise<void> {
  const wanted = await ctx.db
    .selectFrom('dataExports')
    .select(['memberId', 'fileKey'])
    .where('id', '=', exportId)
    .where('state', '=', 'preparing')
    .executeTakeFirst()
  if (!wanted?.fileKey) return
  const { memberId, fileKey } = wanted
  let bytes = 0
  async function* counted(parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      bytes += part.length
      yield part
    }
  }
  try {
    await ctx.kit.files.put(fileKey, counted(makeArchive(ctx, memberId, await databaseNow(ctx))))
  } catch (err) {
    if (!(err instanceof StorageFull || err instanceof StorageDown)) throw err
    ctx.log.error({ err, exportId }, 'an archive could not be stored')
    await failExport(ctx, { exportId, memberId })
    return
  }
  if (!(await offerDownload(ctx, { exportId, memberId, bytes }))) await ctx.kit.files.remove(fileKey)
}

/** Marks the archive as ready and mails its link. False if the export was ended or erased meanwhile. */
function offerDownload(
  ctx: Ctx,
  { exportId, memberId, bytes }: { exportId: string; memberId: string; bytes: number },
) {
  return inTransaction(ctx, async (ctx) => {
    const token = newSecret()
    const ready = await ctx.db
      .updateTable('dataExports')
      .set({
        state: 'ready',
        hash: hashOfSecret(token),
        bytes,
        expiresAt: sql<string>`clock_timestamp() + make_interval(hours => ${exportLinkHours})`,
      })
      .where('id', '=', exportId)
      .where('state', '=', 'preparing')
      .executeTakeFirst()
    if (ready.numUpdatedRows !== 1n) {
      const done = await ctx.db
        .selectFrom('dataExports')
        .select('state')
        .where('id', '=', exportId)
        .executeTakeFirst()
      return done?.state === 'ready'
    }
    await notifyExportReady(ctx, { memberId, exportId, token })
    await emit(ctx, 'export.changed', { exportId }, [memberId])
    return true
  })
}

function failExport(ctx: Ctx, { exportId, memberId }: { exportId: string; memberId: string }) {
  return inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ fileKey: string | null }>`
      update data_exports d set state = 'failed', file_key = null from data_exports old
      where d.id = ${exportId} and d.state = 'preparing' and old.id = d.id returning old.file_key`.execute(
      ctx.db,
    )
    if (!rows[0]) return
    removeAfterCommit(ctx, [rows[0].fileKey])
    await notifyExportFailed(ctx, { memberId, exportId })
    await emit(ctx, 'export.changed', { exportId }, [memberId])
  })
}

type Download = OpenFile & { name: string }

/**
 * Downloads my archive once and then deletes its file. Only one of several simultaneous downloads gets it.
 * Refuses EXPORT_GONE for a second or late download, a wrong secret, or another member.
 */
export function downloadExport(
  ctx: MemberCtx,
  { exportId, token }: { exportId: string; token: string },
): Promise<Download> {
  return inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ fileKey: string; day: string }>`
      update data_exports d set state = 'downloaded', file_key = null, hash = null from data_exports old
      where d.id = ${exportId} and d.member_id = ${ctx.who.id} and d.state = 'ready'
        and d.hash = ${hashOfSecret(token)} and d.expires_at > clock_timestamp() and old.id = d.id
      returning old.file_key, to_char(clock_timestamp(), 'YYYY-MM-DD') as day`.execute(ctx.db)
    const claimed = rows[0]
    if (!claimed) throw refuse('EXPORT_GONE')
    const file = await ctx.kit.files.open(claimed.fileKey)
    if (!file) {
      ctx.log.error({ code: 'missing-file', exportId }, 'an archive has a row and no file')
      throw refuse('EXPORT_GONE')
    }
    afterRollback(ctx, () => file.body.cancel())
    removeAfterCommit(ctx, [claimed.fileKey])
    await recordActivity(ctx, 'data_exported', { targetId: exportId })
    await emit(ctx, 'export.changed', { exportId }, [ctx.who.id])
    return { ...file, name: `evenhand-${claimed.day}.zip` }
  })
}

const archivesPerBatch = 100

/** Ends archives that were not downloaded in time, and fails those not finished in an hour. */
export async function expireExports(ctx: Ctx): Promise<void> {
  while (await expireSome(ctx)) continue
  const stuck = await ctx.db
    .selectFrom('dataExports')
    .select(['id', 'memberId'])
    .where('state', '=', 'preparing')
    .where('requestedAt', '<', sql<string>`clock_timestamp() - interval '1 hour'`)
    .execute()
  for (const { id, memberId } of stuck) await failExport(ctx, { exportId: id, memberId })
}

/** Returns whether more may be left. */
function expireSome(ctx: Ctx): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ id: string; memberId: string; fileKey: string }>`
      with old as (
        select id, file_key from data_exports where state = 'ready' and expires_at <= clock_timestamp()
        limit ${archivesPerBatch} for update skip locked
      )
      update data_exports d set state = 'expired', file_key = null, hash = null from old
      where d.id = old.id returning d.id, d.member_id, old.file_key`.execute(ctx.db)
    removeAfterCommit(
      ctx,
      rows.map(({ fileKey }) => fileKey),
    )
    for (const { id, memberId } of rows) await emit(ctx, 'export.changed', { exportId: id }, [memberId])
    return rows.length === archivesPerBatch
  })
}

/** Deletes the records of archives that were requested long ago and are over. */
export function deleteOldExports(ctx: Ctx): Promise<void> {
  const where = sql`state in ('downloaded', 'expired', 'failed')
    and ${olderThan(sql`requested_at`, retention.exportDays * 24)}`
  return removeOldRows(ctx, [{ table: 'data_exports', where }])
}

/** Deletes a member's archives and returns their ids, which the jobs that make them hold. */
export async function eraseExportsOf(ctx: Ctx, memberId: string): Promise<string[]> {
  const gone = await ctx.db
    .deleteFrom('dataExports')
    .where('memberId', '=', memberId)
    .returning(['id', 'fileKey'])
    .execute()
  removeAfterCommit(
    ctx,
    gone.map(({ fileKey }) => fileKey),
  )
  return gone.map(({ id }) => id)
}
