// A PostgreSQL that the product did not start and that may lose nothing: the system's own where there is one (the oldest first, since we write
// for 15), else the binaries that come with the clone, run as a stranger would run them.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '#server/kit/postgres/postgres.ts'

type OutsideServer = { url: string; stop(): Promise<void> }

/** Starts it in a folder of its own, with an empty UTF-8 database, on a Unix socket alone. */
export async function startOutsideServer(): Promise<OutsideServer> {
  const initdb = globSync('/usr/lib/postgresql/{15,16,17,18}/bin/initdb').toSorted()[0]
  return initdb ? startSystems(initdb.replace(/initdb$/, '')) : startShipped()
}

async function startSystems(bin: string): Promise<OutsideServer> {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-outside-'))
  const owner: { uid?: number; gid?: number } = process.getuid?.() === 0 ? userNamed('postgres') : {}
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid)
  await chmod(folder, 0o700)
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(bin, program), args, {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    })
  run('initdb', '-D', join(folder, 'data'), '-U', 'owner', '--encoding=UTF8', '--locale=C', '--auth=trust')
  const options = `-k ${folder} -c listen_addresses= -c max_connections=200`
  run('pg_ctl', '-D', join(folder, 'data'), '-o', options, '-l', join(folder, 'log'), '-w', 'start')
  run('createdb', '-h', folder, '-U', 'owner', 'club')
  return {
    url: `postgres://owner@/club?host=${encodeURIComponent(folder)}`,
    async stop() {
      run('pg_ctl', '-D', join(folder, 'data'), '-m', 'fast', '-w', 'stop')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startShipped(): Promise<OutsideServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenhand-outside-'))
  const server = await startEmbedded({ dataDir, log: () => {} })
  const { host, port, user, database } = server.connection
  return {
    url: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function userNamed(name: string) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : {}
}
