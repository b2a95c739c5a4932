// The backups of this club and the drills in which one was restored. `npm run backup` and `npm run restore`
// report them; the status page and our staff's page about health show them.
import { sql } from 'kysely'
import type { RestoreDrill } from '#contract/site.ts'
import type { BackupRecord, DrillRecord } from '#contract/staff/health.ts'
import type { Backup } from '#server/kit/backup/backup.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'

const keptDays = 400
type Db = Pick<Ctx, 'db'>

/** Records a backup that is whole. */
export async function recordBackup({ db }: Db, backup: Backup): Promise<void> {
  const { snapshotAt, bytes, rows, files, encrypted } = backup
  await sql`insert into backups (id, snapshot_at, bytes, rows, files, encrypted)
    values (${newId()}, ${snapshotAt}, ${bytes}, ${rows}, ${files}, ${encrypted})`.execute(db)
  await sql`delete from backups
    where finished_at < clock_timestamp() - make_interval(days => ${keptDays})`.execute(db)
}

/** Records a drill, whatever it found. */
export async function recordDrill({ db }: Db, drill: Omit<DrillRecord, 'at'>): Promise<void> {
  const { snapshotAt, seconds, rows, files, fault } = drill
  await sql`insert into restore_drills (id, snapshot_at, seconds, rows, files, fault)
    values (${newId()}, ${snapshotAt}, ${seconds}, ${rows}, ${files},
      ${fault?.replaceAll('\0', '').slice(0, 300) ?? null})`.execute(db)
  await sql`delete from restore_drills
    where finished_at < clock_timestamp() - make_interval(days => ${keptDays})`.execute(db)
}

/** The last drill in which all was well; null while there was none. */
export async function findGoodDrill({ db }: Db): Promise<RestoreDrill | null> {
  const { rows } = await sql<RestoreDrill>`
    select finished_at as at, snapshot_at, seconds from restore_drills where fault is null
    order by finished_at desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** The latest of both, and the last drill that was good. */
export async function readBackups(ctx: Ctx) {
  const backups = await sql<BackupRecord>`
    select finished_at as at, snapshot_at, bytes, rows, files, encrypted from backups
    order by snapshot_at desc limit 5`.execute(ctx.db)
  const drills = await sql<DrillRecord>`
    select finished_at as at, snapshot_at, seconds, rows, files, fault from restore_drills
    order by finished_at desc limit 5`.execute(ctx.db)
  return { backups: backups.rows, drills: drills.rows, goodDrill: await findGoodDrill(ctx) }
}
