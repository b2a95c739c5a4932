import { unzipSync } from 'fflate'
import { render } from 'react-email'
import sharp from 'sharp'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportDownloadPath } from '#contract/privacy.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { StorageFull } from '#server/kit/uploads/files.ts'
import { productOf } from '#server/matching/testing.ts'
import { readAvatarUpload, setAvatar, storeAvatar } from '#server/members/avatar.ts'
import { readPicture, setProductImage, storePicture } from '#server/products/images.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { addProduct } from '#server/products/products.ts'
import { proveByOrder, readProof } from '#server/reviews/proofs.ts'
import { takeCase } from '#server/moderation/cases.ts'
import { decideCase } from '#server/moderation/decisions.ts'
import { findFlags } from '#server/moderation/flags.ts'
import { reportListing } from '#server/moderation/reports.ts'
import { decided, explanation, returnByStaff } from '#server/moderation/testing.ts'
import { accepted, purchased, submitted, uploadProof } from '#server/reviews/testing.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Browser } from '#server/testing/browser.ts'
import { dataInventory } from './data-inventory.ts'
import { eraseMember } from './erasure.ts'
import { deleteOldExports, expireExports, makeExport } from './export.ts'
import { privacyMails } from './mails.ts'
import { fileKeys, nameOf, newPerson } from './testing.ts'

const club = useFreshClub()
const edge = useEdge(club)

let count = 0

/** A new member, and a browser in which they are signed in. */
async function someone() {
  const username = `person-${(count += 1)}`
  const me = await newPerson(club, username)
  return { me, username, browser: await edge.signIn(username) }
}

type Link = { exportId: string; token: string }

const ask = (browser: Browser) => browser.post('/api/account/export')
const newest = async (browser: Browser) => (await browser.get('/api/account/export')).json

/** Requests the archive, makes it, and returns the link from the mail. */
async function prepared(browser: Browser) {
  const asked = await ask(browser)
  expect(asked.status).toBe(202)
  await makeExport(club.system, String(asked.json?.['id']))
  const mail = await club.system.db
    .selectFrom('mails')
    .select('props')
    .where('memberId', '=', browser.memberId)
    .where('template', '=', 'export-ready')
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
  // These are the props that `notifyExportReady` stores.
  return mail.props as Link
}

const download = (browser: Browser, { exportId, token }: Link) =>
  browser.post(exportDownloadPath(exportId), { token })

async function picture(color: string) {
  return sharp({ create: { width: 400, height: 300, channels: 3, background: color } })
    .png()
    .toBuffer()
}

describe('requesting an archive', () => {
  test('needs a fresh session, and returns the one in preparation until it is ready', async () => {
    const { browser } = await someone()
    const confirmed = (ago: string) =>
      sql`update sessions set confirmed_at = clock_timestamp() - ${ago}::interval
        where id = ${browser.sessionId}`.execute(club.system.db)
    await confirmed('11 minutes')
    for (let n = 0; n < 4; n += 1) expect((await ask(browser)).json).toMatchObject({ code: 'NOT_FRESH' })
    await confirmed('1 second')
    expect((await browser.get('/api/account/export')).text).toBe('null')
    const first = await ask(browser)
    expect(first.json).toMatchObject({ state: 'preparing', expiresAt: null, bytes: null })
    expect((await ask(browser)).json).toEqual(first.json)
    expect(
      club.sent.filter(({ name, data }) => name === 'make-export' && data['exportId'] === first.json?.['id']),
    ).toHaveLength(1)
  })

  test('is limited to two a day', async () => {
    const { browser } = await someone()
    expect([(await ask(browser)).status, (await ask(browser)).status]).toEqual([202, 202])
    const third = await ask(browser)
    expect(third.status).toBe(429)
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(80_000)
  })

  test('twice at the same time makes one archive', async () => {
    const { browser } = await someone()
    const answers = await Promise.all([ask(browser), ask(browser)])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(new Set(answers.map(({ json }) => json?.['id'])).size).toBe(1)
  })

  test('is only for members', async () => {
    expect((await ask(edge.visitor())).status).toBe(401)
    expect((await edge.visitor().get('/api/account/export')).status).toBe(401)
  })
})

describe('the archive', () => {
  type Data = Record<string, Record<string, unknown>[]>
  let data: Data
  let files: Record<string, Buffer>
  let mine: Awaited<ReturnType<typeof someone>>
  const others: string[] = []

  async function unpacked(browser: Browser) {
    const archive = unzipSync(await bytesOf(browser, await prepared(browser)))
    return Object.fromEntries(Object.entries(archive).map(([name, bytes]) => [name, Buffer.from(bytes)]))
  }
  // The archive's JSON holds lists by name.
  const read = (of: Record<string, Buffer>) => JSON.parse(of['data.json']?.toString() ?? '') as Data

  beforeAll(async () => {
    mine = await someone()
    const { me, username } = mine
    const [seller, writer] = [await someone(), await someone()]
    others.push(
      ...[seller, writer].flatMap((other) => [other.me.who.id, other.username, nameOf(other.username)]),
    )
    await setAvatar(me, await storeAvatar(me, await readAvatarUpload(await picture('red'))))
    await setProductImage(me, {
      id: await productOf(me),
      picture: await storePicture(me, await readPicture(await picture('blue'))),
    })
    const writing = await accepted(club, seller.username, username)
    const proof = await readProof(new File([await picture('green')], 'My order.png'))
    await uploadProof(me, { id: writing.id, proof, paidCents: 50 })
    await submitted(club, username, writer.username, { rating: 2 })
    files = await unpacked(mine.browser)
    data = read(files)
  })

  test('has every section of the inventory, with my rows', () => {
    const sections = Object.values(dataInventory).flatMap((table) => table.sections.map(({ name }) => name))
    expect(Object.keys(data)).toEqual(['club', 'madeAt', ...sections])
    const { username, me } = mine
    expect(data['account']).toMatchObject([
      { id: me.who.id, email: `${username}@evenhand.example`, username },
    ])
    expect(data['products']).toMatchObject([{ title: `Work of ${username}`, sellerId: 'me' }])
    for (const section of [
      'sessions',
      'membership',
      'rotation',
      'reviewsWritten',
      'reviewsReceived',
      'requests',
      'proofs',
    ]) {
      expect(data[section]?.length, section).toBeGreaterThan(0)
    }
    for (const section of [
      'notices',
      'activity',
      'activityLog',
      'pictures',
      'events',
      'mails',
      'limits',
      'archives',
    ]) {
      expect(data[section]?.length, section).toBeGreaterThan(0)
    }
  })

  test('names no other member, and has no secret and no rating before the review is final', () => {
    expect(data['reviewsReceived']).toMatchObject([
      { status: 'reviewed', sellerId: 'me', reviewerId: 'another member', rating: null, body: null },
    ])
    expect(data['reviewsReceived']?.[0]).not.toHaveProperty('draft')
    expect(data['reviewsWritten']).toMatchObject([{ reviewerId: 'me', sellerId: 'another member' }])
    const text = Object.entries(files)
      .map(([name, bytes]) => (name.startsWith('files/') ? name : bytes.toString()))
      .join()
    for (const name of others) expect(text.replaceAll(`“Work of ${name}”`, '')).not.toContain(name)
    for (const row of data['sessions'] ?? []) expect(row).not.toHaveProperty('token')
    expect(files['data.json']?.toString()).not.toMatch(/argon2|"password":|auditKey/)
  })

  test('has my files, and tables for a spreadsheet', async () => {
    const names = ['README.txt', 'ledger.csv', 'reviews-written.csv', 'reviews-received.csv', 'activity.csv']
    expect(Object.keys(files)).toEqual(expect.arrayContaining(names))
    const [proof] = data['proofs'] ?? []
    const [image] = data['pictures'] ?? []
    expect(await sharp(files[`files/proofs/${String(proof?.['id'])}.png`]).metadata()).toMatchObject({
      width: 400,
    })
    expect(
      await sharp(files[`files/product-pictures/${String(image?.['id'])}.webp`]).metadata(),
    ).toMatchObject({ format: 'webp' })
    expect(await sharp(files['files/picture.webp']).metadata()).toMatchObject({ format: 'webp', width: 256 })
    const [head, ...rows] = (files['activity.csv']?.toString() ?? '').split('\r\n')
    expect(head).toContain('"Text"')
    expect(rows.filter(Boolean)).toHaveLength(data['activity']?.length ?? -1)
    expect(files['README.txt']?.toString()).toContain('sessions: Where you are signed in')
  })

  test('shows a received review once it is final', async () => {
    const [seller, writer] = [await someone(), await someone()]
    const review = await submitted(club, seller.username, writer.username, { rating: 2 })
    await verifyReview(club.system, review, 'seller')
    const { reviewsReceived, ledger } = read(await unpacked(seller.browser))
    expect(reviewsReceived).toMatchObject([{ status: 'verified', rating: 2, reviewerId: 'another member' }])
    expect(ledger).toMatchObject([{ memberId: 'me', reason: 'received', delta: -1 }])
  })

  test('has an open offer from when its member opened it', async () => {
    const [seller, reviewer] = [await someone(), await someone()]
    const { queueId } = await accepted(club, seller.username, reviewer.username)
    const request = await club.system.db
      .selectFrom('reviewQueue')
      .select(['status', 'offeredTo', 'reviewerId', 'acceptedAt'])
      .where('id', '=', queueId)
      .executeTakeFirstOrThrow()
    const change = (to: Partial<typeof request>) =>
      club.system.db.updateTable('reviewQueue').set(to).where('id', '=', queueId).execute()
    const offersWhen = async (seenAt: 'null' | 'offered_at') => {
      await sql`update offers set state = 'open', responded_at = null, seen_at = ${sql.raw(seenAt)}
        where reviewer_id = ${reviewer.me.who.id}`.execute(club.system.db)
      await change({
        status: 'offered',
        offeredTo: reviewer.me.who.id,
        reviewerId: null,
        acceptedAt: null,
      })
      const archive = read(await unpacked(reviewer.browser))
      return [archive['offersToMe'], archive['requestsOfferedToMe']]
    }
    expect(await offersWhen('null')).toEqual([[], []])
    const [offers, requests] = await offersWhen('offered_at')
    expect(offers).toMatchObject([{ state: 'open', reviewerId: 'me' }])
    expect(requests).toMatchObject([{ status: 'offered', offeredTo: 'me' }])
    // Ids of ours are in the order of time: they would show which products one member connected.
    expect(Object.keys(requests?.[0] ?? {})).not.toContain('productId')
    expect(Object.keys(requests?.[0] ?? {})).not.toContain('listingId')
    await change(request)
    await sql`update offers set state = 'accepted', responded_at = offered_at
      where reviewer_id = ${reviewer.me.who.id}`.execute(club.system.db)
  })

  test('has a case about a listing only once our staff decided against its seller', async () => {
    const [seller, writer] = [await someone(), await someone()]
    const review = await submitted(club, seller.username, writer.username)
    const sam = await club.as('sam')
    const report = async (reason: 'rewards' | 'unlawful') => {
      await reportListing(review.reviewer, { id: review.id, reason, explanation })
      const { id } = await sam.db
        .selectFrom('cases')
        .select('id')
        .where('state', '=', 'open')
        .executeTakeFirstOrThrow()
      return id
    }
    await decideCase(sam, decided(await report('rewards')))
    const open = await report('unlawful')
    await takeCase(sam, { id: open, from: null })
    const before = read(await unpacked(seller.browser))
    expect(before.casesAboutMyListings).toEqual([])
    expect(before.decisionsAboutMe).toEqual([])
    expect(before.staffActionsAboutMe).toEqual([])
    await decideCase(sam, decided(open, { outcome: 'removed', rule: 'unlawful' }))
    const after = read(await unpacked(seller.browser))
    expect(after.casesAboutMyListings).toMatchObject([{ subject: 'listing', state: 'closed' }])
    // They have the moment of the report.
    for (const key of ['id', 'dueAt', 'openedAt'])
      expect(after.casesAboutMyListings?.[0]).not.toHaveProperty(key)
    expect(after.decisionsAboutMe).toMatchObject([{ outcome: 'removed' }])
    expect(JSON.stringify(after)).not.toContain(explanation)
  })

  test('names no review, product or listing of another member, in the log or in a flag', async () => {
    const [seller, writer, other] = [await someone(), await someone(), await someone()]
    const used = await purchased(club, seller.username, writer.username)
    const { orderId } = await club.system.db
      .selectFrom('proofs')
      .select('orderId')
      .where('reviewId', '=', used.id)
      .executeTakeFirstOrThrow()
    const mine = await accepted(club, other.username, seller.username)
    const again = proveByOrder(mine.reviewer, { id: mine.id, orderId: orderId ?? '', paidCents: 0 })
    await expect(again).rejects.toMatchObject({ code: 'ORDER_ID_USED' })

    const {
      listingId,
      couponLink,
      id: productId,
    } = await club.system.db
      .selectFrom('products')
      .select(['listingId', 'couponLink', 'id'])
      .where('sellerId', '=', writer.me.who.id)
      .executeTakeFirstOrThrow()
    const claim = addProduct(seller.me, { title: 'Not mine', category: 'tool', couponLink })
    await expect(claim).rejects.toMatchObject({ code: 'LISTING_TAKEN' })
    await findFlags(club.system)
    const archive = read(await unpacked(seller.browser))
    const details = archive.activityLog?.map(({ metadata }) => metadata)
    expect(details).toContainEqual({ reviewId: mine.id, reason: 'order number already used' })
    expect(details).toContainEqual({})
    expect(archive.flags).toMatchObject([
      { kind: 'listing_claim', listingId: null, caseId: null, reason: null },
    ])
    const flagsAndLog = JSON.stringify([archive.activityLog, archive.flags])
    for (const id of [used.id, listingId, productId]) expect(flagsAndLog).not.toContain(id)
  })

  test('does not show a reviewer the seller’s explanation to our staff', async () => {
    const [seller, writer] = [await someone(), await someone()]
    const review = await submitted(club, seller.username, writer.username)
    await returnByStaff(club, review)
    const archive = read(await unpacked(writer.browser))
    expect(archive.reviewsWritten).toMatchObject([{ status: 'returned', returnReason: 'not_visible' }])
    expect(archive.decisionsAboutMe).toMatchObject([{ outcome: 'returned', decidedBy: 'another member' }])
    expect(archive.casesAboutMyReviews).toMatchObject([{ subject: 'review' }])
    expect(archive.casesAboutMyReviews?.[0]).not.toHaveProperty('listingId')
    expect(JSON.stringify(archive)).not.toContain(explanation)
    expect(JSON.stringify(read(await unpacked(seller.browser)).reports)).toContain(explanation)
  })

  test('has each row of a long list once', async () => {
    const { me, browser } = await someone()
    await sql`insert into activity_items (id, member_id, dedupe_key, type, title, description, status)
      select gen_random_uuid(), ${me.who.id}, 'n' || n, 'reviews', n::text, '', 'info'
      from generate_series(1, 1203) n`.execute(me.db)
    const { activity } = read(await unpacked(browser))
    expect(new Set(activity?.map(({ title }) => title)).size).toBe(1203)
    expect(activity).toHaveLength(1203)
  })
})

describe('the link to an archive', () => {
  test('works once, for its signed-in owner with the secret, and then the file is deleted', async () => {
    const [{ browser, me }, other] = [await someone(), await someone()]
    const link = await prepared(browser)
    expect((await newest(browser))?.['state']).toBe('ready')
    const kept = await fileKeys(club.system)
    for (const [by, wrong, status] of [
      [edge.visitor(), link, 401],
      [other.browser, link, 404],
      [browser, { ...link, token: `${link.token}x` }, 404],
      [browser, { ...link, token: '' }, 404],
      [browser, { ...link, exportId: me.who.id }, 404],
      [browser, { ...link, exportId: 'x' }, 404],
    ] as const) {
      expect((await download(by, wrong)).status).toBe(status)
    }
    expect((await browser.get(exportDownloadPath(link.exportId))).status).toBe(404)
    const answers = await Promise.all([
      download(browser, link),
      download(browser, link),
      download(browser, link),
    ])
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(2)
    const right = answers.find(({ status }) => status === 200)
    expect(right?.headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect(right?.headers['content-disposition']).toMatch(
      /^attachment; filename="evenhand-\d{4}-\d\d-\d\d\.zip"$/,
    )
    expect(answers.find(({ status }) => status === 404)?.json).toMatchObject({ code: 'EXPORT_GONE' })
    expect(await fileKeys(club.system)).toHaveLength(kept.length - 1)
    expect((await newest(browser))?.['state']).toBe('downloaded')
    const log = await me.db
      .selectFrom('activityLogs')
      .select('action')
      .where('memberId', '=', me.who.id)
      .execute()
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['data_export_requested', 'data_exported']),
    )
  })

  test('expires after 24 hours, even before the job runs', async () => {
    const { browser } = await someone()
    const link = await prepared(browser)
    const kept = await fileKeys(club.system)
    await sql`update data_exports set expires_at = expires_at - interval '24 hours'
      where id = ${link.exportId}`.execute(club.system.db)
    expect((await newest(browser))?.['state']).toBe('expired')
    expect((await download(browser, link)).status).toBe(404)
    await expireExports(club.system)
    expect(await fileKeys(club.system)).toHaveLength(kept.length - 1)
    expect((await newest(browser))?.['state']).toBe('expired')
  })

  test('expires however many there are, and their records go after 30 days', async () => {
    const { browser, me } = await someone()
    const link = await prepared(browser)
    const { db } = club.system
    await sql`with many as (
        insert into members (id, email) select gen_random_uuid(), 'archive-' || n || '@mail.example'
        from generate_series(1, 201) n returning id)
      insert into data_exports (id, member_id, state, hash, file_key, bytes, expires_at)
      select gen_random_uuid(), id, 'ready', sha256(id::text::bytea), md5(id::text), 1,
        clock_timestamp() from many`.execute(db)
    const many = sql`member_id in (select id from members where email like 'archive-%')`
    await expireExports(club.system)
    expect((await newest(browser))?.['state']).toBe('ready')
    const { rows } = await sql`select state, count(*) from data_exports where ${many} group by 1`.execute(db)
    expect(rows).toEqual([{ state: 'expired', count: 201 }])
    await sql`update data_exports set requested_at = requested_at - interval '31 days' where ${many}`.execute(
      db,
    )
    await sql`update data_exports set requested_at = requested_at - interval '31 days'
      where id = ${link.exportId}`.execute(db)
    await sql`insert into data_exports (id, member_id, state, requested_at)
      values (gen_random_uuid(), ${me.who.id}, 'failed', clock_timestamp() - interval '29 days')`.execute(db)
    await deleteOldExports(club.system)
    const left = await sql`select state from data_exports where ${many} or member_id = ${me.who.id}
      order by state`.execute(db)
    expect(left.rows).toEqual([{ state: 'failed' }, { state: 'ready' }])
    await sql`delete from members where email like 'archive-%'`.execute(db)
  })

  test('expires when a newer archive is requested', async () => {
    const { browser } = await someone()
    const [first, second] = [await prepared(browser), await prepared(browser)]
    expect((await download(browser, first)).status).toBe(404)
    expect((await download(browser, second)).status).toBe(200)
  })

  test('has its secret in the fragment, and the table has only its hash', async () => {
    const { browser } = await someone()
    const { exportId, token } = await prepared(browser)
    const mail = privacyMails['export-ready']?.(
      { name: 'Anna', exportId, token },
      { origin: 'https://club.example', demo: false },
    )
    expect(await render(mail?.body)).toContain(
      `https://club.example/settings?export=${exportId}#token=${token}`,
    )
    const { rows } = await sql`select from data_exports
        where id = ${exportId} and hash = sha256(${Buffer.from(token)})`.execute(club.system.db)
    expect(rows).toHaveLength(1)
  })
})

describe('an archive that can’t be made', () => {
  test('fails without space, notifies the member, and can be requested again', async () => {
    const { browser, me } = await someone()
    const asked = await ask(browser)
    const full = { ...club.system.kit.files, put: () => Promise.reject(new StorageFull('full')) }
    await makeExport({ ...club.system, kit: { ...club.system.kit, files: full } }, String(asked.json?.['id']))
    expect(await newest(browser)).toMatchObject({ state: 'failed', id: asked.json?.['id'] })
    const sent = await me.db.selectFrom('notices').select('title').where('memberId', '=', me.who.id).execute()
    expect(sent).toEqual([{ title: 'We couldn’t create your archive' }])
    expect((await prepared(browser)).exportId).not.toBe(asked.json?.['id'])
  })

  test('fails after an hour', async () => {
    const { browser } = await someone()
    await ask(browser)
    await expireExports(club.system)
    expect((await newest(browser))?.['state']).toBe('preparing')
    await sql`update data_exports set requested_at = requested_at - interval '61 minutes'
      where member_id = ${browser.memberId}`.execute(club.system.db)
    await expireExports(club.system)
    expect((await newest(browser))?.['state']).toBe('failed')
  })

  test('is made once when the job runs twice, and deleted if its owner was erased meanwhile', async () => {
    const { browser, me } = await someone()
    const link = await prepared(browser)
    await makeExport(club.system, link.exportId)
    expect((await download(browser, link)).status).toBe(200)

    const asked = await ask(browser)
    const before = await fileKeys(club.system)
    const { files: kept } = club.system.kit
    const leaving: Ctx = {
      ...club.system,
      kit: {
        ...club.system.kit,
        files: {
          ...kept,
          async put(key, bytes) {
            await kept.put(key, bytes)
            await eraseMember(club.system, me.who.id)
            await kept.put(key, Buffer.from('late'))
          },
        },
      },
    }
    await makeExport(leaving, String(asked.json?.['id']))
    expect(await fileKeys(club.system)).toEqual(before)
  })
})

/** The archive's unchanged bytes. */
async function bytesOf(browser: Browser, { exportId, token }: Link): Promise<Uint8Array> {
  const answer = await fetch(`http://127.0.0.1:${edge.port}${exportDownloadPath(exportId)}`, {
    method: 'POST',
    headers: { origin: edge.config.origin, cookie: browser.cookie ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}
