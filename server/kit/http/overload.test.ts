// What a web process answers while more work waits for the database than it can do in time, and while it
// stops.
import { afterEach, expect, test, vi } from 'vitest'
import { useEdge } from '#server/testing/edge.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { watchLoad } from './overload.ts'

const club = useFreshClub()
const build = new Map([
  ['/index.html', { bytes: Buffer.from('<!doctype html>'), type: 'text/html; charset=utf-8' }],
  ['/assets/main-4f2a.js', { bytes: Buffer.from('export {}'), type: 'text/javascript; charset=utf-8' }],
])
let isStopping = false
const edge = useEdge(club, { build, isStopping: () => isStopping })

const held: Promise<{ release(): void } | null>[] = []
afterEach(async () => {
  vi.useRealTimers()
  isStopping = false
  await releaseAll()
})

/** Takes every connection of the process, and puts so many statements more into the queue for one. */
function letWait(statements: number) {
  const { pool } = club.database
  const wanted = statements + (pool.options.max ?? 10) - held.length
  for (let one = 0; one < wanted; one += 1) held.push(pool.connect().catch(() => null))
}

async function releaseAll() {
  for (const connection of held.splice(0)) void connection.then((client) => client?.release())
}

const idle = { waiting: () => 0, given: () => 0 }
const refused = { status: 503, json: { code: 'BUSY', defined: true } }

test('visitors are refused at once while statements wait, and members are served', async () => {
  const [anna, visitor] = [await edge.signIn('anna'), edge.visitor()]
  letWait(30)
  const asked = anna.get('/api/me')
  expect(await visitor.get('/api/status')).toMatchObject(refused)
  expect(
    await visitor.post('/api/auth/sign-in/email', { email: 'a@b.example', password: 'x' }),
  ).toMatchObject(refused)
  await releaseAll()
  expect((await asked).status).toBe(200)
  expect((await visitor.get('/api/status')).status).toBe(200)
})

test('when more waits, members are refused as well and learn when to come back; health answers', async () => {
  const anna = await edge.signIn('anna')
  const before = edge.overload.shed().database
  letWait(80)
  const answer = await anna.get('/api/me')
  expect(answer).toMatchObject(refused)
  expect(answer.headers['retry-after']).toMatch(/^[1-4]$/)
  expect((await anna.post('/api/notifications/read-all', {})).status).toBe(503)
  expect((await anna.get('/api/events')).status).toBe(503)
  expect((await anna.get('/livez')).status).toBe(200)
  expect((await anna.get('/readyz')).status).toBe(200)
  expect((await anna.get('/assets/main-4f2a.js')).status).toBe(200)
  expect(edge.overload.shed().database).toBe(before + 3)
  await releaseAll()
  expect((await anna.get('/api/me')).status).toBe(200)
})

test('a process that stops ends each connection with its answer', async () => {
  const anna = await edge.signIn('anna')
  expect((await anna.get('/api/me')).headers.connection).toBe('keep-alive')
  isStopping = true
  for (const path of ['/api/me', '/assets/main-4f2a.js', '/livez', '/readyz']) {
    expect((await anna.get(path)).headers.connection).toBe('close')
  }
  expect((await anna.get('/api/me')).status).toBe(200)
})

test('a cookie that we did not sign makes no member of a visitor', async () => {
  const forger = edge.visitor()
  forger.jar.set('evenhand.session_token', 'made-up.signature')
  letWait(30)
  expect(await forger.get('/api/me')).toMatchObject(refused)
})

test.each([
  // Statements that wait all the time, how many get a connection in a second, and who is served.
  [7, 20, ['visitor', 'member']],
  [8, 20, ['member']],
  [8, 60, ['visitor', 'member']],
  [19, 20, ['member']],
  [20, 20, []],
  [20, 60, []],
  [20, 80, ['member']],
  [24, 400, ['visitor', 'member']],
  [74, 400, ['member']],
])('while %i wait and %i get a connection in a second, it serves %j', (waiting, perSecond, served) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const given = () => (performance.now() * perSecond) / 1000
  const overload = watchLoad({ waiting: () => waiting, given, streams: () => 0 })
  vi.advanceTimersByTime(600)
  const serves = (who: string) => {
    try {
      overload.refuseIfBusy({ signedIn: who === 'member', stream: false })
      return true
    } catch {
      return false
    }
  }
  expect(['visitor', 'member'].filter(serves)).toEqual(served)
  overload.stop()
})

test('fewer statements are enough when they wait all the time', async () => {
  let [waiting, given] = [30, 0]
  const overload = watchLoad({ waiting: () => waiting, given: () => (given += 1), streams: () => 0 })
  const read = () => overload.refuseIfBusy({ signedIn: true, stream: false })
  read()
  await vi.waitFor(() => expect(read).toThrow('very busy'), { timeout: 20_000 })
  waiting = 0
  read()
  overload.stop()
})

test('one statement is enough when none gets a connection any more, until one does', async () => {
  let [waiting, given] = [1, 0]
  const overload = watchLoad({ waiting: () => waiting, given: () => given, streams: () => 0 })
  const read = () => overload.refuseIfBusy({ signedIn: true, stream: false })
  read()
  await vi.waitFor(() => expect(read).toThrow('very busy'), { timeout: 20_000 })
  // It gave up. The next one tries again, and no other one beside it.
  waiting = 0
  for (let round = 0; round < 3; round += 1) await beLate()
  read()
  waiting = 1
  expect(read).toThrow('very busy')
  given += 1
  await vi.waitFor(read, { timeout: 20_000 })
  overload.stop()
})

test('the pool counts those who wait for a connection, and the connections that it gave', async () => {
  const { pool, queue } = club.database
  const before = queue.given()
  const most = pool.options.max
  letWait(1)
  await Promise.all(held.slice(0, -1))
  expect({ waiting: queue.waiting(), given: queue.given() - before }).toEqual({ waiting: 1, given: most })
  const last = held.at(-1)
  await releaseAll()
  await last
  expect({ waiting: queue.waiting(), given: queue.given() - before }).toEqual({ waiting: 0, given: most + 1 })
})

test('streams beyond what a process holds are refused, and nothing else is', () => {
  const overload = watchLoad({ ...idle, streams: () => 10_000 })
  expect(() => overload.refuseIfBusy({ signedIn: true, stream: true })).toThrow('very busy')
  overload.refuseIfBusy({ signedIn: false, stream: false })
  expect(overload.shed()).toEqual({ database: 0, processor: 0, streams: 1 })
  overload.stop()
})

test('a process that is late refuses visitors once it has much to do, and recovers', async () => {
  const overload = watchLoad({ ...idle, streams: () => 0 })
  const visit = () => overload.refuseIfBusy({ signedIn: false, stream: false })
  const running = Array.from({ length: 15 }, () => overload.begin())
  for (let round = 0; round < 6; round += 1) await beLate()
  visit()
  running.push(overload.begin())
  expect(visit).toThrow('very busy')
  for (const end of running) end()
  visit()
  overload.stop()
})

/** Keeps the process busy with one task, and lets its timers run. */
async function beLate() {
  const until = performance.now() + 200
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 0))
  await new Promise((resolve) => setImmediate(resolve))
}
