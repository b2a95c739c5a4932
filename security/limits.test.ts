// Rate limits: the last allowed request passes, and the next gets 429 with a time to retry.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { useOwnProduct } from './product.ts'
import type { Answer, Browser } from '#server/testing/browser.ts'

// Its own: it moves and removes the counters of everybody, and keeps the product busy.
const product = useOwnProduct()

/** Moves the windows of all counters into the past. */
async function passTime(interval: string) {
  await product.db.query(`update rate_counters set ends_at = ends_at - $1::interval`, [interval])
}

function expectTooMany(answer: Answer) {
  expect(answer.status).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
}

async function statuses(times: number, ask: (n: number) => Promise<Answer>) {
  const found: number[] = []
  for (let n = 0; n < times; n += 1) found.push((await ask(n)).status)
  return found
}

describe('RL-01: from one address', () => {
  test('5 sign-ins a minute, and again after it', async () => {
    const visitor = product.visitor()
    const ask = (n: number) =>
      visitor.post('/api/auth/sign-in/email', { email: `rl-${n}@mail.example`, password: 'not right at all' })
    expect(await statuses(5, ask)).toEqual([401, 401, 401, 401, 401])
    expectTooMany(await ask(5))
    await passTime('61 seconds')
    expect((await ask(6)).status).toBe(401)
  })

  test('5 sign-ups an hour, and again after it', async () => {
    const visitor = product.visitor()
    const ask = (n: number) =>
      visitor.post('/api/sign-up', {
        email: `rl-up-${n}@mail.example`,
        username: `rl-up-${n}`,
        password: 'six green bottles',
      })
    expect(await statuses(5, ask)).toEqual([200, 200, 200, 200, 200])
    expectTooMany(await ask(5))
    await passTime('59 minutes')
    expectTooMany(await ask(6))
    await passTime('2 minutes')
    expect((await ask(7)).status).toBe(200)
  })

  test('20 resets and 20 confirmations an hour', async () => {
    for (const path of ['/api/reset-password', '/api/verify-email/resend']) {
      const visitor = product.visitor()
      const ask = (n: number) => visitor.post(path, { email: `rl-${path.length}-${n}@mail.example` })
      expect(await statuses(20, ask)).toEqual(Array(20).fill(200))
      expectTooMany(await ask(20))
    }
  })

  test('30 checks of a username a minute', async () => {
    const visitor = product.visitor()
    const ask = (n: number) => visitor.get(`/api/username-exists?username=rl-name-${n}`)
    expect(await statuses(30, ask)).toEqual(Array(30).fill(200))
    expectTooMany(await ask(30))
  })

  test('an IPv6 address counts as its /64, and an IPv4-mapped one as its IPv4 address', async () => {
    const ask = (address: string) =>
      product
        .visitor(address)
        .post('/api/auth/sign-in/email', { email: 'rl-six@mail.example', password: 'not right' })
    for (const n of [1, 2, 3, 4, 5]) expect((await ask(`2001:db8:1:1::${n}`)).status).toBe(401)
    expectTooMany(await ask('2001:db8:1:1:ffff::1'))
    expect((await ask('2001:db8:1:2::1')).status).toBe(401)
    await product.db.query('delete from rate_counters')
    for (const _ of [1, 2, 3, 4, 5]) expect((await ask('203.0.113.9')).status).toBe(401)
    expectTooMany(await ask('::ffff:203.0.113.9'))
  })

  test('an address in a client’s own headers does not count', async () => {
    const visitor = product.visitor()
    const ask = (n: number) =>
      visitor.post(
        '/api/auth/sign-in/email',
        { email: `rl-x-${n}@mail.example`, password: 'not right' },
        {
          'x-forwarded-for': `192.0.2.${n}`,
          forwarded: `for=192.0.2.${n}`,
          'cf-connecting-ip': `192.0.2.${n}`,
          'x-client-ip': `192.0.2.${n}`,
        },
      )
    expect(await statuses(5, ask)).toEqual([401, 401, 401, 401, 401])
    expectTooMany(await ask(5))
  })

  test.each([
    '/api//auth/sign-in/email',
    '/api/auth/sign-in/email/',
    '/api/auth/%73ign-in/email',
    '/API/auth/sign-in/email',
    '/api/auth/./sign-in/email',
    '/api/auth/sign-in/email;x=1',
  ])('another spelling, %s, does not get its own counter', async (path) => {
    const visitor = product.visitor()
    const body = { email: 'rl-path@mail.example', password: 'not right' }
    for (const _ of [1, 2, 3, 4, 5]) await visitor.post('/api/auth/sign-in/email', body)
    expect([404, 429]).toContain((await visitor.post(path, body)).status)
    await product.db.query('delete from rate_counters')
  })
})

describe('RL-01: by one member', () => {
  test('10 pictures and 5 messages to our staff an hour, and again after it', async () => {
    const { browser } = await product.join()
    for (const [hits, path, body, headers] of [
      [10, '/api/settings/avatar', noPicture, { 'content-type': 'multipart/form-data; boundary=x' }],
      [5, '/api/support', { category: 'other', subject: 'A question', message: 'How is it going?' }, {}],
    ] as const) {
      const ask = () => browser.send('POST', path, { body, headers })
      const passed = await statuses(hits, ask)
      expect(passed).not.toContain(429)
      expectTooMany(await ask())
      await passTime('61 minutes')
      expect((await ask()).status).toBe(passed[0])
    }
  })

  test('300 requests a minute in one login session, and 120 from one address without a session', async () => {
    const { browser } = await product.join()
    for (const [asking, most, status] of [
      [browser, 300, 200],
      [product.visitor(), 120, 401],
    ] as const) {
      // The process counts locally up to a quarter of the allowance.
      const answers: Answer[] = []
      for (let n = 0; n <= most / 4; n += 1) answers.push(await asking.get('/api/me'))
      for (let n = 0; n < most + 20; n += 20) {
        // The window must not end before the test does, on the slowest machine too.
        await product.db.query(`update rate_counters set ends_at = clock_timestamp() + interval '59 seconds'`)
        answers.push(...(await Promise.all(Array.from({ length: 20 }, () => asking.get('/api/me')))))
      }
      const passed = answers.filter((answer) => answer.status === status)
      expect(passed.length).toBeLessThanOrEqual(most)
      // The shared counter is taken in tens, and a waiting process loses some of them.
      expect(passed.length).toBeGreaterThan(most / 2)
      const refused = answers.filter((answer) => answer.status !== status)
      expect(refused.length).toBeGreaterThan(0)
      for (const answer of refused) expectTooMany(answer)
    }
    await product.db.query('delete from rate_counters')
  })
})

const noPicture = Buffer.from(
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nnone\r\n--x--\r\n',
)

describe('RL-01: to one account, from any address', () => {
  test('10 sign-ins an hour, and the right password works after the window', async () => {
    const person = await product.join()
    const ask = (password: string) =>
      product.visitor().post('/api/auth/sign-in/email', { email: person.email, password })
    expect(await statuses(10, () => ask('not right'))).toEqual(Array(10).fill(401))
    // As if the last one was just now: the next has to wait a second, which a busy machine may take to ask.
    await passTime('-1 minute')
    expectTooMany(await ask(person.password))
    await passTime('62 minutes')
    expect((await ask(person.password)).status).toBe(200)
  })

  test.each([
    ['reset', '/api/reset-password', 'Set a new password'],
    ['confirmation', '/api/verify-email/resend', ''],
  ])('one %s a minute and 5 an hour reach the mailbox, from 100 addresses', async (_, path, subject) => {
    const person = await product.join()
    const before = product.inbox.letters.length
    const first = await Promise.all(
      Array.from({ length: 100 }, () => product.visitor().post(path, { email: person.email })),
    )
    expect(first.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const each of first.filter(({ status }) => status !== 200)) expectTooMany(each)
    for (const n of [2, 3, 4, 5, 6, 7]) {
      await passTime('61 seconds')
      const answer = await product.visitor().post(path, { email: person.email })
      expect(answer.status).toBe(n <= 5 ? 200 : 429)
    }
    const mine = () =>
      product.inbox.letters
        .slice(before)
        .filter(({ to, subject: of }) => to.includes(person.email) && of.includes(subject))
    await expect.poll(() => mine().length).toBe(5)
    await product.db.query('delete from rate_counters')
  })

  test('50 at once share one counter', async () => {
    const person = await product.join()
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        product.visitor().sendOnce('POST', '/api/auth/sign-in/email', {
          body: { email: person.email, password: 'not right' },
        }),
      ),
    )
    // A caller that finds all comparisons busy is asked to try again later, and has still been counted. On a
    // slow machine an eleventh may pass after one second, and a twelfth after two more.
    const late = Math.floor(Math.log2(1 + (performance.now() - began) / 1000))
    const compared = answers.filter(({ status }) => status !== 429 && status !== 503)
    expect(compared.length).toBeLessThanOrEqual(10 + late)
    expect(answers.every(({ status }) => [401, 429, 503].includes(status))).toBe(true)
  })
})

describe('RL-04: a flood', () => {
  test('of 200 sign-ins is bounded, and signed-in members are not affected', async () => {
    const person = await product.join()
    const flood = Array.from({ length: 200 }, (_, n) =>
      product
        .visitor(`203.0.${100 + (n % 100)}.${1 + Math.floor(n / 100)}`)
        .sendOnce('POST', '/api/auth/sign-in/email', {
          body: { email: `flood-${n}@mail.example`, password: 'not right' },
        }),
    )
    for (let n = 0; n < 20; n += 1) expect((await person.browser.get('/api/me')).status).toBe(200)
    const answers = await Promise.all(flood)
    expect(answers.every(({ status }) => [401, 429, 503].includes(status))).toBe(true)
    expect(answers.some(({ status }) => status === 401)).toBe(true)
    expect(answers.some(({ status }) => status === 503)).toBe(true)
    for (const each of answers.filter(({ status }) => status !== 401)) {
      expect(Number(each.headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  test('of idle connections: each may stay for 75 seconds', async () => {
    const answer = await product.visitor().get('/livez', { connection: 'keep-alive' })
    expect(answer.headers['keep-alive']).toBe('timeout=75')
  })

  test('of requests that are never finished: each is cut at its own time limit', async () => {
    const begin = () => {
      const socket = connect(product.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nhost: app.club.example\r\n')
      const cut = once(socket.resume(), 'close')
      return { socket, cut }
    }
    const first = begin()
    await setTimeout(4000)
    const second = begin()
    let isSecondCut = false
    void second.cut.then(() => (isSecondCut = true))
    await first.cut
    expect(isSecondCut).toBe(false)
    second.socket.destroy()
  }, 60_000)

  test('of streams from one address: the fifty-first is refused', async () => {
    const address = { 'x-real-ip': '203.0.113.51' }
    const people = []
    for (let n = 0; n < 11; n += 1) people.push(await product.join())
    const last = people.pop()
    const streams = await Promise.all(
      people.flatMap(({ browser }) => Array.from({ length: 5 }, () => browser.listen(address))),
    )
    expect(streams.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect((await last?.browser.listen(address))?.status).toBe(429)
    const elsewhere = await last?.browser.listen()
    expect(elsewhere?.status).toBe(200)
    for (const stream of [...streams, elsewhere]) stream?.close()
  }, 60_000)

  test('of streams by one member: the sixth closes the oldest', async () => {
    const person = await product.join()
    const streams: Awaited<ReturnType<Browser['listen']>>[] = []
    for (let n = 0; n < 6; n += 1) streams.push(await person.browser.listen())
    expect(streams.map(({ status }) => status)).toEqual(Array(6).fill(200))
    await streams[0]?.ended
    let ended = 0
    for (const stream of streams.slice(1)) void stream.ended.then(() => (ended += 1))
    expect((await person.browser.get('/api/me')).status).toBe(200)
    expect(ended).toBe(0)
    for (const stream of streams) stream.close()
  })
})
