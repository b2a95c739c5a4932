// Killing any process at any moment loses no acknowledged write and needs no repair. Members write as fast as
// they may while the web process, the worker and PostgreSQL are killed, and repeat each unanswered call with
// its key.
import { randomUUID } from 'node:crypto'
import { expect, test } from './product.ts'
import type { Product } from './product.ts'

const writers = 12
const writesEach = 16
const kills = [
  [0.1, 'web'],
  [0.3, 'postgres'],
  [0.5, 'worker'],
  [0.6, 'web'],
  [0.8, 'postgres'],
] as const

test('acknowledged writes survive the death of the server and of PostgreSQL', async ({ product }) => {
  const members = await Promise.all(Array.from({ length: writers }, (_, n) => newMember(product, n)))
  const acknowledged = members.map(() => [] as string[])
  const answered = () => acknowledged.reduce((sum, ids) => sum + ids.length, 0)

  const writing = members.map(async (member, writer) => {
    for (let n = 0; n < writesEach; n += 1) {
      const { id } = await untilAnswered<{ id: string }>(() =>
        member('POST', '/api/products', sheet(writer, n)),
      )
      // Ten may be in the rotation at a time. Archiving each one adds a second write per round.
      await untilAnswered(() => member('POST', `/api/products/${id}/archive`, {}))
      acknowledged[writer]?.push(id)
    }
  })
  const killing = async () => {
    for (const [share, part] of kills) {
      while (answered() < writers * writesEach * share) await pause(20)
      let killed = 0
      // It may still be restarting after the last kill.
      while (killed === 0) {
        killed = product.pids(part).filter(kill).length
        if (killed === 0) await pause(20)
      }
    }
  }
  await Promise.all([...writing, killing()])

  for (const [writer, member] of members.entries()) {
    const live = await untilAnswered<unknown[]>(() => member('GET', '/api/products'))
    expect(live).toEqual([])
    const { items: stored } = await untilAnswered<{ items: { id: string }[] }>(() =>
      member('GET', '/api/archived-products?limit=100'),
    )
    expect(stored.map(({ id }) => id).toSorted(), 'each acknowledged product is there, once').toEqual(
      acknowledged[writer]?.toSorted(),
    )
  }
})

const sheet = (writer: number, n: number) => ({
  title: `Sheet ${n} of writer ${writer}`,
  category: 'tool',
  couponLink: `https://makerlane.example/listing/${writer * 100_000 + n}?coupon=EVEN`,
})

type Send = (method: string, path: string, body?: object) => (key: string) => Promise<Response>

/** Repeats one call, with one Idempotency-Key, until its answer is not an outage. */
async function untilAnswered<T>(call: () => (key: string) => Promise<Response>): Promise<T> {
  const send = call()
  const key = randomUUID()
  const until = Date.now() + 300_000
  for (;;) {
    const answer = await send(key).catch(() => undefined)
    if (answer && answer.status < 500) {
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      // The contract defines the shape of this call's answer.
      const body = await answer.json().catch(() => undefined)
      if (body !== undefined) return body as T
    }
    if (Date.now() > until) throw new Error(`No answer: ${answer?.status}`)
    await pause(100)
  }
}

/** Signs up, confirms and consents over the API. Returns a function that sends calls as this member. */
async function newMember(product: Product, n: number): Promise<Send> {
  const email = `writer-${n}@evenhand.example`
  let cookie = ''
  const send: Send = (method, path, body) => async (key) => {
    const answer = await fetch(product.origin + path, {
      method,
      headers: { origin: product.origin, 'content-type': 'application/json', 'idempotency-key': key, cookie },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(60_000),
    })
    const set = answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
    if (set.length > 0) cookie = set.join('; ')
    return answer
  }
  await untilAnswered(() =>
    send('POST', '/api/sign-up', { email, password: 'nine kettles on the sill', username: `writer-${n}` }),
  )
  const token = (await product.linkMailedTo(email)).split('#token=')[1] ?? ''
  await untilAnswered(() => send('POST', '/api/verify-email', { token }))
  cookie = cookie.split('; ').find((one) => one.includes('session_token')) ?? ''
  const [marketplace] = await untilAnswered<{ id: string; policyVersion: number }[]>(() =>
    send('GET', '/api/marketplaces'),
  )
  const { id, policyVersion } = marketplace ?? { id: '', policyVersion: 0 }
  await untilAnswered(() => send('POST', `/api/marketplaces/${id}/consent`, { policyVersion }))
  return send
}

/** Whether the process still existed. */
function kill(pid: number) {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
