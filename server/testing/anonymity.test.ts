// Seller and reviewer never learn who the other is. The test runs a whole exchange over HTTP, keeps
// everything that either side receives as text, and searches it for data that identifies the other.
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { render } from 'react-email'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { allCalls } from '#server/kit/http/api.ts'
import { mails } from '#server/app.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { startRelay } from '#server/kit/live/relay.ts'
import { openLog } from '#server/kit/log.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { readAvatarUpload, setAvatar, storeAvatar } from '#server/members/avatar.ts'
import { decideCase } from '#server/moderation/decisions.ts'
import { decided, decisionsOf } from '#server/moderation/testing.ts'
import { makeArchive } from '#server/privacy/archive.ts'
import { readPicture, setProductImage, storePicture } from '#server/products/images.ts'
import { orderId, submission } from '#server/reviews/testing.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Answer, Browser, StreamReader } from '#server/testing/browser.ts'

const club = useFreshClub()
const edge = useEdge(club)

type Side = {
  username: string
  me: MemberCtx
  browser: Browser
  stream: StreamReader
  joinedAt: string
  avatarKey: string
  /** Everything received, and from where: the stream, answers with their headers, mails, the archive. */
  received: { from: string; text: string }[]
}

/** What each side reads on the other's public page. */
let pagesBefore: string[]
let pagesAfter: string[]

let seller: Side
let reviewer: Side

async function join(username: string, joinedAt: string): Promise<Side> {
  const me = await club.newMember(username)
  await sql`update members set created_at = ${joinedAt},
      display_name = ${nameOf(username)}, full_name = ${nameOf(username)}
    where id = ${me.who.id}`.execute(me.db)
  const avatarKey = await setAvatar(me, await storeAvatar(me, await readAvatarUpload(await picture())))
  const browser = await edge.signIn(username)
  return { username, me, browser, stream: await browser.listen(), joinedAt, avatarKey, received: [] }
}

const picture = () =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: 'navy' } })
    .png()
    .toBuffer()

const nameOf = (username: string) => `Quillfeather ${username.toUpperCase()}`

function keep(side: Side, from: string, { headers, status, text }: Answer) {
  side.received.push({ from: `${from} ${status}`, text: JSON.stringify(headers) + text })
}

async function post(side: Side, path: string, body: unknown = {}) {
  const answer = await side.browser.post(path, body)
  keep(side, `POST ${path}`, answer)
  expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300)
  return answer.json
}

async function get(side: Side, path: string) {
  const answer = await side.browser.get(path)
  keep(side, `GET ${path}`, answer)
  expect(answer.status, path).toBeLessThan(500)
  return answer
}

async function memberPages() {
  const pages = [reviewer.browser.get(pageOf(seller)), seller.browser.get(pageOf(reviewer))]
  return (await Promise.all(pages)).map(({ text }) => text)
}

const pageOf = ({ username }: Side) => `/api/members/${username}`

const reads = Object.values(allCalls)
  .flatMap((calls) => Object.values(calls))
  .map((call) => call['~orpc'].route)
  .flatMap(({ method, path }) => (method === 'GET' && path ? [path] : []))

// With what these ask for; the search would find the other one by the name that all share.
const asked = ['/analytics?by=week', '/search?text=quillfeather', '/search?text=review']
const files = ['/analytics.csv', '/ledger.csv', '/ledger/statement.json']

/** Calls every read of the contract, and those that take an id once for each of these ids. */
async function openEveryScreen(side: Side, ids: string[]) {
  for (const path of reads.filter((path) => !path.includes('{username}'))) {
    for (const id of path.includes('{id}') ? ids : ['']) await get(side, `/api${path.replace('{id}', id)}`)
  }
  for (const id of ids) await get(side, `/api/draws/${id}/receipt.json`)
  for (const path of [...asked, ...files]) expect((await get(side, `/api${path}`)).status, path).toBe(200)
}

/** The ids of the exchange's product, request, review and image, as far as they exist. */
async function idsOfExchange(productId: string) {
  const { rows } = await sql<{
    queueId: string
    reviewId: string | null
    imageId: string | null
    publicId: string
  }>`
    select q.id as queue_id, r.id as review_id, p.image_id, p.public_id
      from review_queue q join products p on p.id = q.product_id
      left join reviews r on r.queue_id = q.id where p.id = ${productId}`.execute(club.system.db)
  return [productId, ...rows.flatMap((row) => Object.values(row))].filter((id) => id !== null)
}

/** A member of staff returns the review that a report is about. Returns the decision. */
async function returnReported(reportId: string) {
  const { caseId } = await club.system.db
    .selectFrom('reports')
    .select('caseId')
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow()
  const sam = await club.as('sam')
  await decideCase(sam, decided(caseId, { outcome: 'returned', rule: 'not_visible' }))
  return (await decisionsOf(sam, caseId))[0]?.id ?? ''
}

async function readMails(side: Side) {
  const rows = await club.system.db
    .selectFrom('mails')
    .selectAll()
    .where('memberId', '=', side.me.who.id)
    .execute()
  for (const { template, props, toAddress } of rows) {
    // The stored props are those that the template takes.
    const mail = mails[template]?.(props as MailProps, { origin: club.config.origin, demo: true })
    const html = await render(mail?.body)
    side.received.push({ from: `mail ${template}`, text: JSON.stringify([toAddress, mail?.subject, html]) })
  }
}

async function readArchive(side: Side) {
  const parts: Uint8Array[] = []
  for await (const part of makeArchive(club.system, side.me.who.id, '2026-11-22')) parts.push(part)
  for (const [name, bytes] of Object.entries(unzipSync(Buffer.concat(parts)))) {
    const text = /\.(json|csv|txt)$/.test(name) ? Buffer.from(bytes).toString() : ''
    side.received.push({ from: `archive ${name}`, text: `${name} ${text}` })
  }
}

/**
 * Data that identifies a member: ids, the timestamp at the start of an id, names, picture, time of joining.
 */
function marksOf({ me, username, joinedAt, avatarKey, browser }: Side) {
  const [day, time] = joinedAt.split(/[T.]/)
  return {
    id: me.who.id,
    'moment in the id': me.who.id.slice(0, 13),
    session: browser.sessionId ?? '',
    username,
    name: nameOf(username),
    avatar: avatarKey,
    'day of joining': day ?? '',
    'time of joining': time ?? '',
  }
}

function findMarks(of: Side, received: Side['received']) {
  return received.flatMap(({ from, text }) =>
    Object.entries(marksOf(of))
      .filter(([, mark]) => text.toLowerCase().includes(mark.toLowerCase()))
      .map(([name]) => `${from}: ${name}`),
  )
}

describe('after a whole exchange', () => {
  beforeAll(async () => {
    const relay = startRelay(club.connection, club.database, openLog('test', 'silent'))
    seller = await join('selma-sells', '2026-03-14T01:02:03.456789Z')
    reviewer = await join('rufus-reads', '2026-05-16T07:08:09.654321Z')
    const both = [seller, reviewer]
    const ofModeration: string[] = []
    const screens = async () => {
      const ids = [...(await idsOfExchange(productId)), ...ofModeration]
      await club.system.db.deleteFrom('rateCounters').execute()
      for (const side of both) await openEveryScreen(side, ids)
      await club.system.db.deleteFrom('rateCounters').execute()
    }

    const [marketplace] = (await get(seller, '/api/marketplaces')).text.match(/[0-9a-f-]{36}/) ?? []
    for (const side of both)
      await post(side, `/api/marketplaces/${marketplace}/consent`, { policyVersion: 1 })
    const product = await post(seller, '/api/products', {
      title: 'The unhurried planner',
      category: 'template',
      couponLink: 'https://makerlane.example/listing/4711?coupon=EVEN',
    })
    const productId = String(product?.['id'])
    const pictures = await readPicture(await picture())
    await setProductImage(seller.me, { id: productId, picture: await storePicture(seller.me, pictures) })
    pagesBefore = await memberPages()
    const taken = (await post(seller, '/api/request-review/ticket', { productId })) ?? {}
    const asked = { productId, ticket: taken['ticket'], nonce: '5c'.repeat(16) }
    await post(seller, '/api/request-review', asked)
    await post(reviewer, '/api/presence')
    await matchRequests(club.system)
    await screens()
    const { queueId, productImage } = (await get(reviewer, '/api/offers/current')).json ?? {}
    await get(reviewer, `/images/${String(productImage)}-320.webp`)
    await post(reviewer, '/api/review-response', { queueId, accept: true })
    await screens()
    const { id: reviewId } = await club.system.db
      .selectFrom('reviews')
      .select('id')
      .where('queueId', '=', String(queueId))
      .executeTakeFirstOrThrow()
    await post(reviewer, `/api/reviews/${reviewId}/coupon`)
    await post(reviewer, `/api/reviews/${reviewId}/order`, { orderId: orderId(), paidCents: 50 })
    await sql`update reviews set usable_from = clock_timestamp() - interval '1 second'`.execute(
      club.system.db,
    )
    const { id: _, ...text } = submission({ id: reviewId })
    await post(reviewer, `/api/reviews/${reviewId}/submit`, text)
    await screens()
    const { reportId } =
      (await post(seller, `/api/received-reviews/${reviewId}/report`, {
        reason: 'not_visible',
        explanation: 'I looked for it twice and found nothing.',
      })) ?? {}
    const decisionId = await returnReported(String(reportId))
    await post(reviewer, `/api/reviews/${reviewId}/report-listing`, {
      reason: 'broken',
      explanation: 'The coupon was refused on two days.',
    })
    ofModeration.push(String(reportId), decisionId)
    await screens()
    await post(reviewer, `/api/reviews/${reviewId}/submit`, text)
    await post(seller, `/api/received-reviews/${reviewId}/confirm`)
    await screens()
    pagesAfter = await memberPages()
    for (const side of both) {
      await side.stream.next('review.verified')
      await readMails(side)
      await readArchive(side)
      for (const message of side.stream.received)
        side.received.push({ from: `stream ${message.name}`, text: JSON.stringify(message) })
      side.stream.close()
    }
    await relay.stop()
  })

  test('each side has received all of its own data', () => {
    for (const side of [seller, reviewer]) {
      const from = side.received.map(({ from }) => from)
      const kinds = new Set(from.map((place) => place.split(' ')[0]))
      expect(kinds).toEqual(new Set(['GET', 'POST', 'mail', 'archive', 'stream']))
      const marks = [
        'id',
        'moment in the id',
        'username',
        'name',
        'avatar',
        'day of joining',
        'time of joining',
      ]
      expect(findMarks(side, side.received)).toEqual(
        expect.arrayContaining(marks.map((mark) => `GET /api/me 200: ${mark}`)),
      )
      for (const list of ['reviews', 'received-reviews', 'products', 'notifications', 'activity', 'ledger'])
        expect(from).toContain(`GET /api/${list} 200`)
      for (const path of files) expect(from).toContain(`GET /api${path} 200`)
    }
    const opened = (side: Side, path: RegExp) => side.received.some(({ from }) => path.test(from))
    for (const side of [seller, reviewer])
      expect(opened(side, /^GET \/api\/draws\/[^/]+\/receipt\.json 200$/), side.username).toBe(true)
    expect(opened(seller, /^GET \/api\/received-reviews\/[^/]+ 200$/)).toBe(true)
    expect(opened(reviewer, /^GET \/api\/reviews\/[^/]+ 200$/)).toBe(true)
    expect(opened(reviewer, /^GET \/api\/discover\/[^/]+ 200$/)).toBe(true)
    expect(opened(reviewer, /^GET \/images\/.* 200$/)).toBe(true)
    for (const side of [seller, reviewer])
      expect(opened(side, /^stream offer\.accepted$/), side.username).toBe(true)
  })

  test('nothing that the reviewer received names the seller', () => {
    expect(findMarks(seller, reviewer.received)).toEqual([])
  })

  test('nothing that the seller received names the reviewer', () => {
    expect(findMarks(reviewer, seller.received)).toEqual([])
  })

  test('neither archive says which of the two joined first', () => {
    for (const { received } of [seller, reviewer]) {
      const data = received.find(({ from }) => from === 'archive data.json')?.text ?? ''
      expect(data).toMatch(/"pairs": \[\n {4}\{/)
      expect(data).not.toMatch(/"(lo|hi)":/)
    }
  })

  test('a member’s page is unchanged and shows the month of joining', () => {
    expect(pagesAfter).toEqual(pagesBefore)
    expect(pagesAfter.map((page) => JSON.parse(page) as unknown)).toMatchObject([
      { username: seller.username, memberSince: '2026-03' },
      { username: reviewer.username, memberSince: '2026-05' },
    ])
    const allowed = /: (username|avatar)$/
    const found = [seller, reviewer].flatMap((side) =>
      findMarks(
        side,
        pagesAfter.map((text) => ({ from: 'page', text })),
      ),
    )
    expect(found.filter((mark) => !allowed.test(mark))).toEqual([])
  })
})
