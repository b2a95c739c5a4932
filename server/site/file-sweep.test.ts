import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { sweepOrphanFiles } from './file-sweep.ts'
import { readClubFigures } from './gauges.ts'

const club = useClub()

async function addRow(key: string) {
  await sql`insert into images (id, owner_id, file_key, widths, width, height, bytes)
    values (${newId()}, ${await club.idOf('anna')}, ${key}, '{320}', 4, 3, 32)`.execute(club.system.db)
}

async function missing() {
  await sweepOrphanFiles(club.system)
  return (await readClubFigures(club.system)).counts['files-missing']
}

test('rows without their file are counted, wherever their keys lie among the stored ones', async () => {
  const { files } = club.system.kit
  const before = (await missing()) ?? 0
  const stored = Array.from({ length: 510 }, newFileKey)
  for (const key of stored) await files.put(key, Buffer.from(key))
  const [between, first, last] = [newFileKey(), '0'.repeat(32), 'f'.repeat(32)]
  for (const key of [between, first, last, ...stored.slice(0, 20)]) await addRow(key)
  expect(await missing()).toBe(before + 3)
  await files.put(between, Buffer.from('found again'))
  expect(await missing()).toBe(before + 2)
  for (const key of [first, last])
    await sql`delete from images where file_key = ${key}`.execute(club.system.db)
  expect(await missing()).toBe(before)
})

test('a file that is written while the files are listed is not missed', async () => {
  const { files } = club.system.kit
  const before = (await missing()) ?? 0
  const key = newFileKey()
  async function* list() {
    yield* files.list('')
    await files.put(key, Buffer.from('new'))
    await addRow(key)
  }
  await sweepOrphanFiles({ ...club.system, kit: { ...club.system.kit, files: { ...files, list } } })
  expect((await readClubFigures(club.system)).counts['files-missing']).toBe(before)
})

test('a sweep counts the files too', async () => {
  await club.system.kit.files.put(newFileKey(), Buffer.from('twelve bytes'))
  await sweepOrphanFiles(club.system)
  const { rows } = await sql<{
    files: number
    bytes: number
  }>`select files, bytes from storage_figures`.execute(club.system.db)
  expect(rows[0]?.files).toBeGreaterThan(0)
  expect(rows[0]?.bytes).toBeGreaterThanOrEqual(12)
})

test('each key is read a few times, however many files there are', () =>
  undone(club.system, async (ctx) => {
    await sql`insert into images (id, owner_id, file_key, widths, width, height, bytes)
      select gen_random_uuid(), ${await club.idOf('anna')}, md5(n::text), '{320}', 4, 3, 32
      from generate_series(1, 3000) n`.execute(ctx.db)
    const { rows: images } = await sql<{ key: string }>`select file_key as key from images
      order by file_key collate "C"`.execute(ctx.db)
    async function* list() {
      for (const { key } of images) yield { key, size: 32, storedAt: new Date() }
    }
    // In a table of this size the planner reads all of it rather than its index.
    await sql`set local enable_seqscan = off`.execute(ctx.db)
    const before = await rowsRead(ctx)
    await sweepOrphanFiles({ ...ctx, kit: { ...ctx.kit, files: { ...ctx.kit.files, list } } })
    expect((await rowsRead(ctx)) - before).toBeLessThan(4 * images.length)
  }))

/** Of the images, in this transaction. */
async function rowsRead(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ read: number }>`select (seq_tup_read + idx_tup_fetch)::int as read
    from pg_stat_xact_user_tables where relname = 'images'`.execute(ctx.db)
  return rows[0]?.read ?? 0
}
