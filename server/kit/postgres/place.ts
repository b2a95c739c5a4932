// Where a cluster lies and whose it is. Beside the data itself (`data`) its place holds the socket, the log,
// the starters' lock and the owner's name.
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDataDir } from '#server/kit/data-dir.ts'
import type { RunAs } from './binaries.ts'
import { canEnter, chooseUser, sharedHome } from './binaries.ts'
import { StartError } from '#server/kit/start-error.ts'

export type Place = {
  folder: string
  data: string
  sock: string
  logFile: string
  ownerFile: string
  runAs: RunAs
}

export const port = 5432

// The shorter of the limits: 107 bytes on Linux, 103 on macOS.
const longestSocket = 103

/**
 * The cluster of one DATA_DIR, with its folders made. Real paths throughout, because running servers are
 * recognised by them. It lies in `dataDir/postgres`. Where the server's user cannot get there, as in a clone
 * in root's home, it lies under /var/lib/evenhand, and the file `postgres-is-at` in `dataDir` says where.
 * @throws StartError for a cluster that belongs to another user, is unreachable or gone
 */
export async function findPlace(dataDir: string, throwaway = false): Promise<Place> {
  const home = await openDataDir(dataDir)
  if (throwaway && isRoot()) await chmod(home, 0o711)
  const folder = await settleFolder(home)
  const data = join(folder, 'data')
  const runAs = chooseUser(ownerOf(data))
  refuseForeign(data, runAs)
  await mkdir(folder, { recursive: true })
  if (isRoot()) {
    if (dirname(folder) === sharedHome) await chmod(sharedHome, 0o755)
    await chmod(folder, 0o711)
  }
  if (dirname(folder) === sharedHome) await leaveWord(home, folder)
  return {
    folder,
    data,
    sock: await openSocketFolder(folder, runAs),
    logFile: join(folder, 'log'),
    ownerFile: join(folder, 'owner'),
    runAs,
  }
}

/** A folder that only the server's user may enter. */
export async function makePrivate(folder: string, runAs: RunAs): Promise<void> {
  await mkdir(folder, { recursive: true })
  const found = await lstat(folder)
  const user = runAs.uid ?? process.getuid?.()
  const ours = found.uid === user || found.uid === process.getuid?.()
  if (!found.isDirectory() || !ours) {
    throw new StartError(`${folder} belongs to another user: remove it, or set DATA_DIR to another folder.`)
  }
  if (runAs.uid !== undefined && runAs.gid !== undefined) await chown(folder, runAs.uid, runAs.gid)
  await chmod(folder, 0o700)
}

async function settleFolder(home: string) {
  const pointer = pointerIn(home)
  if (existsSync(pointer)) return followPointer(pointer, home)
  const inPlace = join(home, 'postgres')
  const runAs = chooseUser(ownerOf(join(inPlace, 'data')))
  if (runAs.uid === undefined || canEnter(home, runAs)) return inPlace
  if (existsSync(join(inPlace, 'data'))) {
    throw new StartError(
      `The database in ${inPlace} is out of reach of the user ${runAs.name}: let others pass through ` +
        'the folders above it (chmod o+x).',
    )
  }
  return join(sharedHome, shortHash(home))
}

// A copied DATA_DIR brings the pointer along; following it would put two clubs into one database.
async function followPointer(pointer: string, home: string) {
  const folder = (await readFile(pointer, 'utf8')).trim()
  const owner = await readFile(join(folder, 'belongs-to'), 'utf8').catch(() => undefined)
  if (owner === undefined) {
    throw new StartError(
      `The database named in ${pointer} is gone: bring ${folder} back, ` +
        'or remove that file to begin with an empty database.',
    )
  }
  if (owner !== home && existsSync(pointerIn(owner))) {
    throw new StartError(
      `${home} is a copy of ${owner}, which still uses its database: ` +
        `remove ${pointer} to begin with an empty one.`,
    )
  }
  return folder
}

async function leaveWord(home: string, folder: string) {
  await writeFile(join(folder, 'belongs-to'), home)
  await writeFile(pointerIn(home), `${folder}\n`)
}

function pointerIn(home: string) {
  return join(home, 'postgres-is-at')
}

async function openSocketFolder(folder: string, runAs: RunAs) {
  const tooLong = (sock: string) => Buffer.byteLength(join(sock, `.s.PGSQL.${port}`)) > longestSocket
  const short = `evenhand-${shortHash(folder)}`
  const candidates = [join(folder, 'sock'), join(tmpdir(), short), join('/tmp', short)]
  const sock = candidates.find((candidate) => !tooLong(candidate)) ?? join('/tmp', short)
  await makePrivate(sock, runAs)
  return sock
}

function refuseForeign(data: string, runAs: RunAs) {
  const owner = ownerOf(data)
  if (owner === undefined || owner === (runAs.uid ?? process.getuid?.())) return
  throw new StartError(
    `The database in ${data} belongs to the user with id ${owner}: start Evenhand as the user who ` +
      'made it, or set DATA_DIR to another folder.',
  )
}

function ownerOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.uid
}

function shortHash(text: string) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function isRoot() {
  return process.getuid?.() === 0
}
