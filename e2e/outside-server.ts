// A PostgreSQL that the product did not start: the system's own, the oldest version first because we support
// 15, else the binaries among our packages.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '#server/kit/postgres/postgres.ts'

type OutsideServer = { url: string; stop(): Promise<void> }

/** Starts it in its own folder, with an empty UTF-8 database, on a Unix socket only. */
export async function startOutsideServer(): Promise<OutsideServer> {
  const initdb = globSync('/usr/lib/postgresql/{15,16,17,18}/bin/initdb').toSorted()[0]
  return initdb ? startInstalled(initdb.replace(/initdb$/, '')) : startFromPackages()
}

async function startInstalled(bin: string): Promise<OutsideServer> {
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

async function startFromPackages(): Promise<OutsideServer> {
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
