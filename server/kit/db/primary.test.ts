// Several servers of which one is the primary, each played by a stand-in in front of the one test server: as
// a standby it makes every session read only.
import net from 'node:net'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { openLog } from '#server/kit/log.ts'
import { StartError } from '#server/kit/start-error.ts'
import { readAddress, readReplicas } from './address.ts'
import { DatabaseClient } from './client.ts'
import { isDatabaseDown, openPool } from './db.ts'
import { NoPrimaryError, primaryOf } from './primary.ts'
import type { Host } from './address.ts'

type StandIn = { port: number; standby: boolean; down: boolean; cut(): void; close(): void }

/** The setting joins the first message of a session, which is: length, version, names and values. */
function asStandby(start: Buffer) {
  const grown = Buffer.concat([start.subarray(0, -1), Buffer.from('default_transaction_read_only\0on\0\0')])
  grown.writeInt32BE(grown.length)
  return grown
}

async function standIn(standby: boolean): Promise<StandIn> {
  const { host, port } = inject('postgres')
  const sockets = new Set<net.Socket>()
  const self: StandIn = {
    port: 0,
    standby,
    down: false,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close: () => void server.close(),
  }
  const server = net.createServer((client) => {
    if (self.down) return client.destroy()
    const behind = net.connect(`${host}/.s.PGSQL.${port}`)
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => [client, behind].forEach((each) => each.destroy()))
    }
    client.once('data', (start: Buffer) => {
      behind.write(self.standby ? asStandby(start) : start)
      client.pipe(behind)
      behind.pipe(client)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  self.port = (server.address() as net.AddressInfo).port
  return self
}

let one: StandIn
let two: StandIn
beforeEach(async () => {
  one = await standIn(true)
  two = await standIn(false)
})
afterEach(() => {
  for (const each of [one, two]) {
    each.cut()
    each.close()
  }
})

function addressOf(...hosts: StandIn[]) {
  const list = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const { user, database } = inject('postgres')
  return readAddress('DATABASE_URL', `postgres://${user}@${list}/${database}?target_session_attrs=read-write`)
}

test('connections go to the primary, and to the promoted one without a restart', async () => {
  const log = openLog('test', 'silent')
  const pool = openPool(addressOf(one, two), { name: 'test', log, max: 2, what: 'connection' })
  const write = () => pool.query<{ off: string }>(`select current_setting('transaction_read_only') as off`)
  try {
    expect((await write()).rows).toEqual([{ off: 'off' }])
    two.down = true
    two.cut()
    // Until only a standby is left; every error on the way says that the database is down.
    await vi.waitUntil(async () => {
      const error: unknown = await write().catch((failure: unknown) => failure)
      expect(isDatabaseDown(error)).toBe(true)
      return error instanceof NoPrimaryError
    })
    one.standby = false
    expect((await write()).rows).toEqual([{ off: 'off' }])
  } finally {
    await pool.end()
  }
})

test('a server that became a standby is left, although it answers', async () => {
  const connect = async () => {
    const client = new DatabaseClient({ ...addressOf(one, two) })
    await client.connect()
    const { port } = client
    await client.end()
    return port
  }
  expect(await connect()).toBe(two.port)
  two.standby = true
  one.standby = false
  await expect(connect()).rejects.toThrow('cannot write')
  expect(await connect()).toBe(one.port)
})

test('a former primary that comes back by itself is not taken for the primary', async () => {
  const hosts: Host[] = [
    { host: 'former', port: 1 },
    { host: 'promoted', port: 2 },
  ]
  const ask =
    (up: string[]) =>
    async ({ host }: Host) => {
      if (!up.includes(host)) throw new Error('away')
      return { writes: true, system: 'club', timeline: host === 'former' ? 1 : 2 }
    }
  expect(await primaryOf(hosts, ask(['former', 'promoted']))).toEqual(hosts[1])
  // Other hosts, so the answer is not remembered; the timeline is.
  const alone = primaryOf(hosts.toReversed(), ask(['former']))
  await expect(alone).rejects.toThrow('promoted:2 (away), former:1 (a former primary)')
})

test('if none is the primary, it says what each is, so that a wrong certificate is no standby', async () => {
  const [standby, strange]: [Host, Host] = [
    { host: 'standby', port: 1 },
    { host: 'strange', port: 2 },
  ]
  const found = primaryOf([standby, strange], async (host) => {
    if (host === strange) throw new AggregateError([new Error('self-signed certificate')])
    return { writes: false, system: 'another club', timeline: 0 }
  })
  await expect(found).rejects.toThrow(
    'none is a primary that can write: standby:1 (a standby), strange:2 (self-signed certificate)',
  )
})

test.each([
  ['postgres://u:p%40@one/club', undefined],
  ['postgres://u:p@one:5433/club?sslmode=disable', undefined],
  ['postgres:///club?host=/run/postgresql', undefined],
  ['postgresql://u@%2Frun%2Fpg/club', undefined],
  [
    'postgres://u:p@one,two:5433/club',
    [
      ['one', 5432],
      ['two', 5433],
    ],
  ],
  [
    'postgres://u@[::1]:6000,two/club?sslmode=disable',
    [
      ['::1', 6000],
      ['two', 5432],
    ],
  ],
  ['postgres://u@one/club?target_session_attrs=primary', [['one', 5432]]],
  [
    'postgres:///club?host=/run/a,/run/b&port=5432,5433',
    [
      ['/run/a', 5432],
      ['/run/b', 5433],
    ],
  ],
])('%s is read', (text, hosts) => {
  const address = readAddress('DATABASE_URL', text)
  expect(address.text).toBe(text)
  expect(address.hosts?.map(({ host, port }) => [host, port])).toEqual(hosts)
  const { host, port } = new DatabaseClient({ ...address })
  if (hosts) expect([host, port]).toEqual(hosts[0])
})

test.each([
  'mysql://u@one/club',
  'one:5432/club',
  'postgres://u@one,,two/club',
  'postgres://u@one:99999,two/club',
  'postgres://u@one:x/club',
  'postgres://u@one,two/club?target_session_attrs=standby',
])('%s is refused with one sentence', (text) => {
  expect(() => readAddress('DATABASE_DIRECT_URL', text)).toThrow(StartError)
  expect(() => readAddress('DATABASE_DIRECT_URL', text)).toThrow('DATABASE_DIRECT_URL')
})

test('an address of replicas is one address for each host', () => {
  const read = (text: string) =>
    readReplicas('DATABASE_REPLICA_URL', text).map((address) => {
      const { host, port, user, database } = new DatabaseClient({ ...address })
      return [host, port, user, database, address.hosts]
    })
  expect(read('postgres://u:p@one,[::1]:6000/club')).toEqual([
    ['one', 5432, 'u', 'club', undefined],
    ['::1', 6000, 'u', 'club', undefined],
  ])
  expect(read('postgres://u@one/club')).toEqual([['one', 5432, 'u', 'club', undefined]])
  expect(read('postgres://u@/club?host=/run/a,/run/b')).toEqual([
    ['/run/a', 5432, 'u', 'club', undefined],
    ['/run/b', 5432, 'u', 'club', undefined],
  ])
  expect(() => read('postgres://u@one,two/club?target_session_attrs=standby')).toThrow('leave it out')
  expect(() => read('postgres://u@one,,two/club')).toThrow('DATABASE_REPLICA_URL')
})
