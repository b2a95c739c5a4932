// Restores a backup into a PostgreSQL and a folder of its own, erases again who was erased since, checks the
// result, and records it in the club whose backup it is. The club goes on meanwhile.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countInvariants, findBreaches } from '#db/invariants.ts'
import { restoreBackup } from '#server/kit/backup/restore.ts'
import type { Restored } from '#server/kit/backup/restore.ts'
import type { StoredBackup } from '#server/kit/backup/store.ts'
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { openDatabase as openPool } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { startEmbedded } from '#server/kit/postgres/postgres.ts'
import { recordDrill } from '#server/site/backups.ts'
import { openDatabase } from './database.ts'
import { eraseMembers } from './erasing.ts'
import type { Settings } from './settings.ts'

type Options = {
  backup: StoredBackup
  identity: string | undefined
  onBytes: (bytes: number) => void
  ended: AbortSignal
}

/** Returns the exit code: 0 when all was well. */
export async function drillRestore({ config, env }: Settings, options: Options): Promise<number> {
  const started = Date.now()
  const database = await openDatabase(env, config.dataDir, console.log)
  const live = database.connectionFor('evenhand_migrate')
  const log = openLog('restore-drill', 'warn')
  try {
    const erased = await idsOf(live, 'select member_id as id from erasures')
    const folder = await mkdtemp(join(tmpdir(), 'evenhand-restore-drill-'))
    // The files of the club are not the drill's to remove.
    let found: Found
    try {
      found = await restoreInto(
        folder,
        { ...config, dataDir: join(folder, 'club'), s3: null },
        erased,
        options,
      )
    } catch (error) {
      found = { restored: null, fault: error instanceof Error ? error.message : String(error) }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    if (options.ended.aborted) return 1
    const seconds = (Date.now() - started) / 1000
    const { restored, fault } = found
    const { db, close } = openPool(live, { name: 'evenhand-restore-drill', log, max: 1 })
    try {
      await recordDrill(
        { db },
        {
          snapshotAt: restored?.snapshotAt ?? null,
          seconds: Math.ceil(seconds),
          rows: restored?.rows ?? 0,
          files: restored?.files ?? 0,
          fault,
        },
      )
    } finally {
      await close()
    }
    if (restored) print(restored, seconds)
    console.log(fault === null ? 'The drill is recorded as good.' : `The drill FAILED: ${fault}`)
    return fault === null ? 0 : 1
  } finally {
    await database.stop()
  }

  async function restoreInto(folder: string, own: typeof config, erased: string[], given: Options) {
    const server = await startEmbedded({ dataDir: join(folder, 'club'), log: () => {}, throwaway: true })
    try {
      const { connection } = server
      const restored = await restoreBackup({ ...given, connection, dataDir: own.dataDir })
      const { erased: again } = await eraseMembers(connection, own, log, erased)
      const fault = await findFault(connection, erased)
      console.log(`${erased.length} members are erased in the club; ${again} of them were erased again.`)
      return { restored, fault }
    } finally {
      await server.stop()
    }
  }

  async function findFault(connection: Connection, erased: string[]): Promise<string | null> {
    const back = await idsOf(connection, 'select id from members where erased_at is null')
    const still = back.filter((id) => erased.includes(id))
    if (still.length > 0) return `${still.length} erased members are back.`
    const { db, close } = openPool(connection, { name: 'evenhand-restore-drill', log, max: 1 })
    let breaches
    try {
      breaches = await findBreaches(db)
    } finally {
      await close()
    }
    if (breaches.length > 0)
      return `Broken: ${breaches.map(({ invariant }) => invariant).join('; ')}`.slice(0, 300)
    console.log(
      `${await countInvariants()} invariants hold. Every table has as many rows as the backup says.`,
    )
    return null
  }
}

type Found = { restored: Restored | null; fault: string | null }

function print({ snapshotAt, rows, files }: Restored, seconds: number) {
  const lost = (Date.now() - Date.parse(snapshotAt)) / 1000
  console.log(`${rows} rows and ${files} files, as of ${snapshotAt}.`)
  console.log(`RPO: ${spanOf(lost)} of work would be lost now. RTO: ${spanOf(seconds)} to restore and check.`)
}

/** Such as `4.2 s` or `3 h 20 min`. */
function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(1)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

async function idsOf(connection: Connection, text: string): Promise<string[]> {
  const client = new DatabaseClient({ ...connection, application_name: 'evenhand-restore-drill' })
  await client.connect()
  try {
    return (await client.query<{ id: string }>(text)).rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}
