// PostgreSQL of the system, as an operator runs it: TCP with passwords, and a standby that follows.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { StartError } from '#server/kit/start-error.ts'
import { freePort } from '#scripts/free-port.ts'
import { postgresUser, until } from './stage.ts'
import type { Running, Stage } from './stage.ts'

export const password = 'drill-password'

export type Cluster = {
  name: string
  port: number
  version: string
  /** The superuser's way to the club's database. */
  admin: PgConnection
  /** The address that an operator writes into DATABASE_URL. */
  url: string
  server: Running
  /** Kills all of it at once, nothing in order, and starts it again after a while. */
  crash(downMs: number): Promise<void>
  /** Makes a standby of it take over. */
  promote(): Promise<void>
  /** Copies it while it runs. */
  baseBackup(): Promise<Base>
}

type Base = { folder: string; archive: string; seconds: number }

/** `archived`: it copies its WAL into a folder as the page about backups says. */
type Options = {
  settings?: Record<string, string>
  archived?: boolean
  /** Of its processes, beside the usual. */
  env?: Record<string, string>
}

/** A new cluster with the empty database `club` and its owner, who is no superuser. */
export async function startCluster(stage: Stage, name: string, options: Options = {}): Promise<Cluster> {
  const place = await placeFor(stage, name)
  const passwordFile = join(place.folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o644 })
  const auth = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`]
  place.run('initdb', ['-D', place.data, '-U', 'postgres', '--encoding=UTF8', '--locale=C', ...auth])
  const cluster = await launch(stage, place, options)
  await ask({ ...cluster.admin, database: 'postgres' }, [
    `create role club login createrole password '${password}'`,
    'create database club owner club',
  ])
  return cluster
}

/** A standby that streams from `primary`. */
export async function startStandby(stage: Stage, name: string, primary: Cluster): Promise<Cluster> {
  const place = await placeFor(stage, name)
  const from = ['-h', primary.admin.host, '-p', String(primary.port), '-U', 'postgres', '-D', place.data]
  place.run('pg_basebackup', [...from, '-R', '-X', 'stream', '-C', '-S', name, '--checkpoint=fast'])
  // It looks for the primary again twice a second, so that a promotion does not wait for the next look.
  const cluster = await launch(stage, place, { settings: { wal_retrieve_retry_interval: '500ms' } })
  await until('the standby streams', async () => {
    const rows = await ask(primary.admin, [`select 1 from pg_stat_replication where state = 'streaming'`])
    return rows.length > 0
  })
  return cluster
}

/** What a base backup and the archive of `of` hold of the club at the moment `target`. */
export async function recoverCluster(stage: Stage, name: string, of: Cluster, base: Base, target: string) {
  const place = await placeFor(stage, name)
  place.run('cp', ['-a', base.folder, place.data])
  place.run('touch', [join(place.data, 'recovery.signal')])
  const cluster = await launch(stage, place, {
    settings: {
      restore_command: `cp ${base.archive}/%f %p`,
      recovery_target_time: target,
      recovery_target_action: 'promote',
    },
  })
  const writes = async () => {
    const [row] = await ask(cluster.admin, ['select pg_is_in_recovery() as recovering'])
    return row?.recovering === false
  }
  await until(`${name} is recovered from ${of.name}`, writes, { needed: [cluster.server] })
  return cluster
}

/** Runs statements one by one as the superuser, and returns the rows of the last. */
export async function ask(connection: PgConnection, statements: string[]): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: pg.QueryResultRow[] = []
    for (const text of statements) ({ rows } = await client.query(text))
    return rows
  } finally {
    await client.end()
  }
}

export async function readVersion(connection: PgConnection): Promise<string> {
  const [row] = await ask(connection, ['show server_version'])
  return String(row?.server_version)
}

type Place = {
  name: string
  folder: string
  data: string
  bin: string
  port: number
  user: { uid?: number; gid?: number }
  run(program: string, args: string[]): string
}

async function placeFor(stage: Stage, name: string): Promise<Place> {
  const newest = globSync('/usr/lib/postgresql/{15,16,17,18}/bin').toSorted().at(-1)
  const bin = process.env.POSTGRES_BIN ?? newest
  if (!bin || !existsSync(join(bin, 'initdb'))) {
    throw new StartError(
      'This drill needs PostgreSQL 15 or newer: install it, on Debian with apt-get install postgresql, ' +
        'or name the folder of its programs in POSTGRES_BIN.',
    )
  }
  const user = postgresUser()
  const folder = join(stage.folder, name)
  await mkdir(folder)
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
  return {
    name,
    folder,
    data: join(folder, 'data'),
    bin,
    port: await freePort(),
    user,
    run: (program, args) =>
      execFileSync(existsSync(join(bin, program)) ? join(bin, program) : program, args, {
        ...user,
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: 'pipe',
      }),
  }
}

async function launch(
  stage: Stage,
  place: Place,
  { settings = {}, archived = false, env = {} }: Options,
): Promise<Cluster> {
  const archive = join(place.folder, 'archive')
  if (archived) place.run('mkdir', ['-p', archive])
  const all = {
    listen_addresses: '127.0.0.1',
    max_connections: '100',
    ...(archived && archiving(archive)),
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const start = () =>
    stage.start(
      place.name,
      join(place.bin, 'postgres'),
      ['-D', place.data, '-p', String(place.port), '-k', place.folder, ...flags],
      // What is thrown away needs no orderly stop.
      {
        ...place.user,
        cwd: place.folder,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env },
        last: 'SIGQUIT',
      },
    )
  let server = start()
  const admin = { host: place.folder, port: place.port, user: 'postgres', database: 'club' }
  const answers = () =>
    ask({ ...admin, database: 'postgres' }, ['select 1']).then(
      () => true,
      () => false,
    )
  const isUp = () =>
    until(`${place.name} answers`, answers, { needed: [server] }).catch((error: Error) => {
      throw new Error(`${error.message} ${stage.logOf(place.name)}`)
    })
  await isUp()
  return {
    name: place.name,
    port: place.port,
    version: place.run('postgres', ['--version']).match(/\d+(\.\d+)?/)?.[0] ?? '',
    admin,
    url: `postgres://club:${password}@127.0.0.1:${place.port}/club`,
    get server() {
      return server
    },
    async crash(downMs) {
      await server.kill()
      await sleep(downMs)
      server = start()
      await isUp()
    },
    async promote() {
      place.run('pg_ctl', ['-D', place.data, '-w', 'promote'])
      await rm(join(place.folder, 'password'), { force: true })
    },
    async baseBackup() {
      const folder = join(place.folder, 'base')
      const started = performance.now()
      const from = ['-h', place.folder, '-p', String(place.port), '-U', 'postgres', '-D', folder]
      place.run('pg_basebackup', [...from, '-X', 'stream', '--checkpoint=fast'])
      return { folder, archive, seconds: (performance.now() - started) / 1000 }
    },
  }
}

/** As docs/operating/backup.md says. */
const archiving = (archive: string) => ({
  archive_mode: 'on',
  archive_command: `f=${archive}/%f; test ! -f $f && cp %p $f.part && sync $f.part && mv $f.part $f`,
  archive_timeout: '60s',
})
