// What the crowd of a load test asks for: reads of signed-in members and visitors, and writes that follow
// from each other, such as a ticket and the request made with it.
import { randomBytes } from 'node:crypto'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { Answered, Asked } from '../http-client.ts'
import { onDatabase } from '../server.ts'

export type SignedIn = { memberId: string; cookie: string }

/** Paths by their share of a hundred reads. */
const reads: [share: number, path: string][] = [
  [25, '/api/me'],
  [15, '/api/products'],
  [15, '/api/offers/current'],
  [10, '/api/dashboard'],
  [10, '/api/activity'],
  [10, '/api/notifications?limit=20'],
  [5, '/api/reviews'],
  [5, '/api/balance'],
  [5, '/api/cooldown'],
]
const hundred = reads.flatMap(([share, path]) => Array.from({ length: share }, () => path))

/** Reads of members in turn. One of `everyVisitor` is a visitor's, from an address of their own. */
export function readMix(people: SignedIn[], everyVisitor = 0): () => Asked {
  let count = 0
  return () => {
    count += 1
    if (everyVisitor > 0 && count % everyVisitor === 0) return { path: '/api/status', address: address() }
    return { path: pickRead(), cookie: people[(count * 7919) % people.length]?.cookie ?? '' }
  }
}

/** A path that members read, by its share. */
export function pickRead(): string {
  return pick(hundred)
}

function pick<T>(from: readonly T[]): T {
  // Every caller's list has items.
  return from[Math.floor(Math.random() * from.length)] as T
}

export function address() {
  return `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`
}

/**
 * The writes of a club at work, of each kind about the same share all the time. Of the offers that the worker
 * draws, those that wait from before too, three in four are accepted, and the others are declined.
 */
export async function writeMix(connection: PgConnection, people: SignedIn[]) {
  const { products, notices } = await readRows(connection)
  const cookies = new Map(people.map(({ memberId, cookie }) => [memberId, cookie]))
  const following: Asked[] = []
  const answers: Asked[] = []
  const answered = new Set<string>()
  const counts: Record<string, number> = {}

  function next(): Asked {
    const asked = following.shift() ?? begin()
    counts[asked.path.replace(/[0-9a-f-]{36}/, '…')] =
      (counts[asked.path.replace(/[0-9a-f-]{36}/, '…')] ?? 0) + 1
    return asked
  }

  function begin(): Asked {
    const chance = Math.random()
    if (chance < 0.15) {
      const product = products.pop()
      if (product)
        return { ...post('/api/request-review/ticket', product.sellerId), body: { productId: product.id } }
    }
    const answer = chance < 0.3 ? answers.shift() : undefined
    if (answer) return answer
    if (chance < 0.5) return { ...post('/api/presence', pick(people).memberId), body: {} }
    const notice = notices.pop()
    if (notice) return { ...post(`/api/notifications/${notice.id}/read`, notice.memberId), body: {} }
    return { ...post('/api/presence', pick(people).memberId), body: {} }
  }

  const post = (path: string, memberId: string) =>
    ({ method: 'POST', path, cookie: cookies.get(memberId) ?? '' }) as const

  return {
    next,
    counts,
    /** A ticket is followed by the request that it was taken for. */
    onAnswer({ path, cookie, body }: Asked, answer: Answered) {
      if (path !== '/api/request-review/ticket' || answer.status !== 200) return
      const ticket = /"ticket":"(\d+)"/.exec(answer.body)?.[1]
      const nonce = randomBytes(16).toString('hex')
      const asked = { ...(body as { productId: string }), ticket, nonce }
      following.push({ method: 'POST', path: '/api/request-review', cookie: cookie ?? '', body: asked })
    },
    /** Looks for open offers, to be answered next. */
    async answerOffers() {
      await onDatabase(connection, async (client) => {
        const { rows } = await client.query<{ id: string; queue_id: string; reviewer_id: string }>(
          `select id, queue_id, reviewer_id from offers where state = 'open'`,
        )
        for (const { id, queue_id: queueId, reviewer_id: memberId } of rows) {
          if (answered.has(id)) continue
          answered.add(id)
          const accept = answered.size % 4 > 0
          const body = accept ? { queueId, accept } : { queueId, accept, reason: 'no_time' }
          answers.push({ ...post('/api/review-response', memberId), body })
        }
      })
    },
  }
}

/** Products without an open request, one a seller, and unread notices, each in a random order. */
async function readRows(connection: PgConnection) {
  return onDatabase(connection, async (client) => {
    const products = await client.query<{ id: string; sellerId: string }>(
      `select distinct on (p.seller_id) p.id, p.seller_id as "sellerId" from products p
       where not exists (select from review_queue q where q.seller_id = p.seller_id and q.status = 'queued')
       order by p.seller_id, p.created_at desc`,
    )
    const notices = await client.query<{ id: string; memberId: string }>(
      `select id, member_id as "memberId" from notices where read_at is null order by random()`,
    )
    return { products: products.rows, notices: notices.rows }
  })
}
