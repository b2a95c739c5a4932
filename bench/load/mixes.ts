// What the crowd of a load test asks for: reads of signed-in members and visitors, and writes that follow
// from each other, such as a ticket and the request made with it.
import { randomBytes } from 'node:crypto'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { writeReview } from '../chaos/steps.ts'
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
 * The writes of a club at work: presence, notices that are read, requests, and what follows from them. Of the
 * offers that the worker draws, those that wait from before too, three in four are accepted, and the others
 * are declined; accepted ones are proven by an order number, reviewed, and confirmed by the seller.
 */
export async function writeMix(connection: PgConnection, people: SignedIn[]) {
  const { products, notices } = await readRows(connection)
  const cookies = new Map(people.map(({ memberId, cookie }) => [memberId, cookie]))
  const following: Asked[] = []
  const steps: Asked[] = []
  const taken = new Set<string>()
  const counts: Record<string, number> = {}
  let orders = 1_000_000

  function next(): Asked {
    const asked = following.shift() ?? begin()
    const kind = asked.path.replace(/[0-9a-f-]{36}/, '…')
    counts[kind] = (counts[kind] ?? 0) + 1
    return asked
  }

  function begin(): Asked {
    const chance = Math.random()
    if (chance < 0.12) {
      const product = products.pop()
      if (product)
        return { ...post('/api/request-review/ticket', product.sellerId), body: { productId: product.id } }
    }
    const step = chance < 0.55 ? steps.shift() : undefined
    if (step) return step
    const notice = chance < 0.75 ? undefined : notices.pop()
    if (notice) return { ...post(`/api/notifications/${notice.id}/read`, notice.memberId), body: {} }
    return { ...post('/api/presence', pick(people).memberId), body: {} }
  }

  const post = (path: string, memberId: string) =>
    ({ method: 'POST', path, cookie: cookies.get(memberId) ?? '' }) as const

  function answerTo({ id: queueId, reviewerId, nth }: Waiting & { nth: number }): Asked {
    const accept = nth % 4 > 0
    const body = accept ? { queueId, accept } : { queueId, accept, reason: 'busy' }
    return { ...post('/api/review-response', reviewerId), body }
  }

  function nextOf({ id, state, reviewerId, sellerId }: Waiting): Asked {
    if (state === 'pending') {
      const body = { orderId: String((orders += 1)), paidCents: 50 }
      return { ...post(`/api/reviews/${id}/order`, reviewerId), body }
    }
    if (state === 'purchased')
      return { ...post(`/api/reviews/${id}/submit`, reviewerId), body: writeReview() }
    return { ...post(`/api/received-reviews/${id}/confirm`, sellerId), body: {} }
  }

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
    /** Looks for open offers and reviews under way, each to be taken one step further. */
    async findSteps() {
      for (const waiting of await readWaiting(connection)) {
        const step = `${waiting.id} ${waiting.state}`
        if (taken.has(step)) continue
        taken.add(step)
        steps.push(waiting.state === 'open' ? answerTo({ ...waiting, nth: taken.size }) : nextOf(waiting))
      }
    },
  }
}

/** An open offer, by the id of its request, or a review that its reviewer or seller takes further. */
type Waiting = { id: string; state: string; reviewerId: string; sellerId: string }

/** What was bought counts as used: members would let that time pass. */
async function readWaiting(connection: PgConnection): Promise<Waiting[]> {
  return onDatabase(connection, async (client) => {
    await client.query(
      `update reviews set usable_from = purchased_at
       where status = 'purchased' and usable_from > clock_timestamp()`,
    )
    const { rows } = await client.query<Waiting>(
      `select queue_id as id, state::text, reviewer_id as "reviewerId", seller_id as "sellerId"
       from offers where state = 'open'
       union all
       select id, status::text, reviewer_id, seller_id
       from reviews where status in ('pending', 'purchased', 'reviewed')`,
    )
    return rows
  })
}

/** Two products of each seller without an open request, and unread notices, each in a random order. */
async function readRows(connection: PgConnection) {
  return onDatabase(connection, async (client) => {
    const products = await client.query<{ id: string; sellerId: string }>(
      `select id, seller_id as "sellerId"
       from (select p.*, row_number() over (partition by p.seller_id order by p.created_at desc) as nth
             from products p
             where not exists (select from review_queue q
                               where q.seller_id = p.seller_id and q.status = 'queued')) of_seller
       where nth <= 2 order by nth desc, random()`,
    )
    const notices = await client.query<{ id: string; memberId: string }>(
      `select id, member_id as "memberId" from notices where read_at is null order by random()`,
    )
    return { products: products.rows, notices: notices.rows }
  })
}
