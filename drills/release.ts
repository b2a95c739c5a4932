// The archive of npm run release, unpacked into an empty folder and run by a plain user who has no Node, no
// npm and no PostgreSQL on the path. It backs the club up and tries the backup with nothing else, too.
import { execFileSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { mkdir, readlink, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { makeRelease } from '#scripts/release.ts'
import { freePort } from '#scripts/free-port.ts'
import { sizeOf } from '#scripts/progress.ts'
import { isReady, populate, settingsOf } from './club.ts'
import { quote } from './commands.ts'
import { smoke } from './smoke.ts'
import { postgresUser, until } from './stage.ts'
import type { Stage } from './stage.ts'
import { plainEdge } from './visitor.ts'

/** All that the launcher and the start of PostgreSQL may use of the system. */
const programs = ['sh', 'dirname', 'readlink', 'tar', 'gzip']

export async function runRelease(stage: Stage): Promise<boolean> {
  const { path, bytes } = await makeRelease()
  console.log(`  ${basename(path)} has ${sizeOf(bytes)}`)
  const user = postgresUser()
  const bin = join(stage.folder, 'bin')
  const home = join(stage.folder, 'home')
  await mkdir(bin, { mode: 0o755 })
  await mkdir(home)
  if (user.uid !== undefined && user.gid !== undefined) chownSync(home, user.uid, user.gid)
  for (const name of programs) {
    const found = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    await symlink(found, join(bin, name))
  }
  execFileSync('tar', ['-C', home, '-xzf', path], { ...user })
  const folder = join(home, basename(path, '.tar.gz'))
  const port = await freePort()
  const settings = await settingsOf(stage, {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    BACKUP_DIR: join(home, 'backups'),
    PATH: bin,
  })
  const start = (name: string, ...args: string[]) =>
    stage.start(name, join(folder, 'evenhand'), args, { ...user, cwd: '/', env: settings })

  const migrating = start('migrate', 'migrate')
  await until('the migrations', () => migrating.hasEnded(), { seconds: 120 })
  if (!stage.logOf('migrate').includes('up to date')) throw new Error(stage.logOf('migrate'))
  const product = start('start', 'start')
  await until('it is ready', () => isReady(port), { seconds: 120, needed: [product] }).catch(
    (error: Error) => {
      throw new Error(`${error.message}\n${stage.logOf('start').trim()}`)
    },
  )
  const node = await readlink(`/proc/${product.pid}/exe`)
  const isOwn = node === join(folder, 'bin/node')
  console.log(
    `  it runs as user ${user.uid ?? 'of the drill'}, with ${isOwn ? 'its own Node' : `THE NODE ${node}`}`,
  )
  const admin = {
    host: join(folder, 'data/postgres/sock'),
    port: 5432,
    user: 'postgres',
    database: 'evenhand',
  }
  const members = await populate(admin, settings, 100)
  const isFine = await smoke(plainEdge(port), members, admin)

  // As the units of deploy/systemd do it at night.
  for (const [name, ...args] of [['backup'], ['restore', '--drill']] as const) {
    const command = start(name, name, ...args)
    await until(name, () => command.hasEnded(), { seconds: 120 })
    console.log(quote(stage.logOf(name).trim()))
    if (command.exitCode() !== 0) return false
  }
  return isFine && isOwn
}
