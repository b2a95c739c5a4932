// Leaving the club with everything open, on a separate database with real connections, commits and jobs.
import sharp from 'sharp'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '#server/accounts/passwords.ts'
import { issueSecret } from '#server/accounts/secrets.ts'
import { openSession } from '#server/accounts/sessions.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, Jobs, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockRow } from '#server/kit/db/db.ts'
import { openJobs } from '#server/kit/jobs.ts'
import { openLog } from '#server/kit/log.ts'
import { sendMailsJob } from '#server/kit/mail/mail.ts'
import { hour, limitRate } from '#server/kit/http/rate-limit.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { askForReview, offeredTo, present, productOf } from '#server/matching/testing.ts'
import { readAvatarUpload, setAvatar, storeAvatar } from '#server/members/avatar.ts'
import { readPicture, setProductImage, storePicture } from '#server/products/images.ts'
import { addProduct } from '#server/products/products.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { readProof } from '#server/reviews/proofs.ts'
import { saveDraft, submitReview } from '#server/reviews/reviews.ts'
import { accepted, purchased, rowOf, submission, submitted, uploadProof } from '#server/reviews/testing.ts'
import { submitSupportRequest } from '#server/support/support.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import { dataInventory, describeColumn } from './data-inventory.ts'
import { eraseMember } from './erasure.ts'
import { makeExport, requestExport } from './export.ts'
import { privacyJobs } from './jobs.ts'
import { privacyMails } from './mails.ts'
import { fileKeys, findRowsWith, nameOf, newPerson } from './testing.ts'

const club = useFreshClub({ max: 30 })
const edge = useEdge(club)
let jobs: Jobs

beforeAll(async () => {
  jobs = await openJobs(club.connection, openLog('test', 'silent'), privacyJobs)
})
afterAll(() => jobs.stop())

let count = 0
async function someone() {
  const username = `leaver-${(count += 1)}`
  return { me: await newPerson(club, username), username, email: `${username}@evenhand.example` }
}

async function picture(color: string) {
  return sharp({ create: { width: 40, height: 30, channels: 3, background: color } })
    .png()
    .toBuffer()
}

const password = 'violet-dragon-lamp'

async function givePassword({ who, db }: MemberCtx) {
  const id = newId()
  await sql`insert into login_methods (id, member_id, provider_id, account_id, password)
    values (${id}, ${who.id}, 'credential', ${who.id}, ${await hashPassword(password)})`.execute(db)
}

const signIn = (email: string, typed = password) =>
  edge.visitor().post('/api/auth/sign-in/email', { email, password: typed })

describe('a member who leaves with everything open', () => {
  let left: Awaited<ReturnType<typeof someone>>
  let filesBefore: string[]

  beforeAll(async () => {
    filesBefore = await fileKeys(club.system)
    left = await someone()
    const { me, username, email } = left
    const [first, second, third, fourth] = [
      await someone(),
      await someone(),
      await someone(),
      await someone(),
    ]
    await givePassword(me)
    await setAvatar(me, await storeAvatar(me, await readAvatarUpload(await picture('red'))))
    await setProductImage(me, {
      id: await productOf(me),
      picture: await storePicture(me, await readPicture(await picture('blue'))),
    })
    await askForReview(fourth.me, await productOf(fourth.me))
    await present(me)
    await matchRequests(club.system)
    expect(await offeredTo(me)).toBeDefined()
    const owed = await accepted(club, first.username, username)
    const proof = await readProof(new File([await picture('green')], `${nameOf(username)}.png`))
    await uploadProof(me, { id: owed.id, proof, paidCents: 50 })
    const draft = { rating: 4, text: nameOf(username), usedFor: '', notFor: '', aiAssisted: false }
    await saveDraft(me, { id: owed.id, draft, basedOn: null })
    await submitted(club, second.username, username, { postedLink: `https://makerlane.example/${username}` })
    await purchased(club, username, third.username)
    await submitSupportRequest(me, { category: 'other', subject: nameOf(username), message: email })
    await recordActivity(me, 'product_connected', { productName: nameOf(username) })
    await issueSecret(me, { memberId: me.who.id, purpose: 'change_email', minutes: 60, data: { email } })
    await limitRate(me.db, `upload:${me.who.id}`, { hits: 5, seconds: hour })
    await sql`insert into reserved_usernames (username, member_id, reserved_until)
      values ('an-older-name', ${me.who.id}, clock_timestamp() + interval '80 days')`.execute(me.db)
    await sql`insert into demo_mails (id, message_id, to_address, subject, html, text)
      values (${newId()}, ${newId()}, ${email}, '', ${email}, '')`.execute(me.db)
    await sql`insert into sign_in_states (id, identifier, value, expires_at)
      values (${newId()}, 'state', ${JSON.stringify({ link: { email, userId: me.who.id } })},
        clock_timestamp() + interval '10 minutes')`.execute(me.db)
    const withJobs: MemberCtx = { ...me, kit: { ...me.kit, jobs } }
    const { id } = await requestExport(withJobs)
    await makeExport(club.system, id)
    await requestExport(withJobs)
    expect(await waitingJobs()).toHaveLength(2)
    expect((await findRowsWith(club.system, [username])).length).toBeGreaterThan(10)
    const browser = await edge.signIn(username)
    const stream = await browser.listen()
    const answer = await browser.post(
      '/api/account/erasure',
      { username },
      { 'idempotency-key': crypto.randomUUID() },
    )
    expect(answer).toMatchObject({ status: 200, json: { ok: true } })
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"')
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await browser.get('/api/me')).status).toBe(401)
    // The server ends the stream within seconds of the session.
    await stream.ended
  })

  async function waitingJobs() {
    const { rows } = await sql<{
      data: unknown
    }>`select data from pgboss.job where name = 'make-export'`.execute(club.system.db)
    return rows
  }

  test('is found in no table, except the reserved usernames and the last mail', async () => {
    const { me, username, email } = left
    const texts = [username, nameOf(username), email, 'an-older-name', `Browser of ${me.who.id}`]
    const found = await findRowsWith(club.system, texts)
    expect(found.filter((row) => !/^public\.(reserved_usernames|mails): /.test(row))).toEqual([])
    expect(found.filter((row) => row.includes('reserved_usernames'))).toHaveLength(2)
    const sent: string[] = []
    const transport = {
      send: async ({ to }: { to: string }) => void sent.push(to),
      verify: async () => {},
      close: () => {},
    }
    await sendMailsJob({ ...privacyMails }, transport).run(club.system, [])
    expect(sent).toEqual([email])
    expect(
      (await findRowsWith(club.system, texts)).filter((row) => !row.startsWith('public.reserved_usernames')),
    ).toEqual([])
  })

  test('leaves no file and no waiting job', async () => {
    expect(await fileKeys(club.system)).toEqual(filesBefore)
    expect(await waitingJobs()).toEqual([])
  })

  test('has each column deleted, emptied or kept according to the inventory', async () => {
    const { me } = left
    for (const [name, table] of Object.entries(dataInventory)) {
      for (const section of table.sections) {
        const { rows } = await sql<
          Record<string, unknown>
        >`select * from ${sql.table(name)} where ${section.where(me.who.id)}`.execute(me.db)
        if (table.onErasure === 'deleted') expect(rows, `${name}: ${section.name}`).toEqual([])
        if (/Received|OfMyRequests|OfferedToMe/.test(section.name)) continue
        for (const row of rows) {
          for (const column of Object.keys(table.columns)) {
            if (describeColumn(table, column).onErasure !== 'emptied') continue
            const key = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
            const value = row[key]
            expect(
              value === null || value === '' || (Array.isArray(value) && value.length === 0),
              `${name}.${column}`,
            ).toBe(true)
          }
        }
      }
    }
    const stays = [
      'members',
      'reviews',
      'ledger_entries',
      'offers',
      'review_queue',
      'products',
      'proofs',
      'reviewer_states',
    ]
    for (const table of stays) expect(dataInventory[table]?.onErasure).toHaveProperty('stays')
  })

  test('can’t sign in, and the username is not free', async () => {
    expect((await signIn(left.email)).json).toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect((await edge.visitor().get(`/api/username-exists?username=${left.username}`)).json).toEqual({
      exists: true,
    })
    expect(await club.system.db.selectFrom('erasures').select('memberId').execute()).toContainEqual({
      memberId: left.me.who.id,
    })
  })
})

describe('leaving at the same time as something else', () => {
  const leave = ({ me }: { me: MemberCtx }) => eraseMember(club.system, me.who.id)

  test('as a sign-in leaves no session, in either order', async () => {
    for (let round = 0; round < 6; round += 1) {
      const one = await someone()
      await givePassword(one.me)
      const [answer] = await Promise.all([signIn(one.email), leave(one)])
      expect([200, 401], String(answer.status)).toContain(answer.status)
      const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? ''
      expect((await edge.visitor().send('GET', '/api/me', { headers: { cookie } })).status).toBe(401)
      expect(
        await club.system.db
          .selectFrom('sessions')
          .select('id')
          .where('memberId', '=', one.me.who.id)
          .execute(),
      ).toEqual([])
    }
  })

  test('as a wrong password leaves no entry about them', async () => {
    const one = await someone()
    await givePassword(one.me)
    const calls: ReturnType<typeof signIn>[] = []
    await inTransaction(club.system, async (ctx) => {
      await eraseMember(ctx, one.me.who.id)
      calls.push(signIn(one.email, 'another-wrong-one'))
      await waiting(1)
    })
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([401])
    const entries = await club.system.db.selectFrom('activityLogs').select(['action', 'memberId']).execute()
    expect(entries).toContainEqual({ action: 'sign_in_failed', memberId: null })
    expect(entries.filter(({ memberId }) => memberId === one.me.who.id)).toEqual([])
  })

  test('as a change of the account makes the change wait and fail', async () => {
    const one = await someone()
    const attempts: Promise<unknown>[] = []
    await inTransaction(club.system, async (ctx) => {
      await eraseMember(ctx, one.me.who.id)
      const attempt = (work: (ctx: Ctx) => Promise<unknown>) => {
        const attempted = inTransaction(club.system, work)
        attempted.catch(() => {})
        attempts.push(attempted)
      }
      attempt((ctx) => openSession(ctx, one.me.who.id, 'test'))
      attempt((ctx) => issueSecret(ctx, { memberId: one.me.who.id, purpose: 'reset_password', minutes: 60 }))
      attempt((ctx) =>
        sql`update members set display_name = 'Someone' where id = ${one.me.who.id}`.execute(ctx.db),
      )
      await waiting(3)
    })
    for (const attempt of attempts) await expect(attempt).rejects.toThrow(/erased/)
  })

  test('as adding a product leaves no product', async () => {
    for (let round = 0; round < 4; round += 1) {
      const one = await someone()
      const couponLink = `https://makerlane.example/listing/late-${count}?coupon=EVEN`
      await Promise.allSettled([
        addProduct(one.me, { title: 'Late', category: 'tool', couponLink }),
        leave(one),
      ])
      const live = await one.me.db
        .selectFrom('products')
        .select('title')
        .where('sellerId', '=', one.me.who.id)
        .where('deletedAt', 'is', null)
        .execute()
      expect(live).toEqual([])
    }
  })

  test.each(['the reviewer', 'the seller'])(
    'as an answer to an offer (%s leaves) has a consistent result without a deadlock',
    async (leaver) => {
      for (let round = 0; round < 5; round += 1) {
        const [seller, asked] = [await someone(), await someone()]
        await clearQueue()
        const request = await askForReview(seller.me, await productOf(seller.me))
        await present(asked.me)
        await matchRequests(club.system)
        expect((await offeredTo(asked.me))?.id).toBe(request.id)
        const browser = await edge.signIn(asked.username)
        const [answer] = await Promise.all([
          browser.post('/api/review-response', { queueId: request.id, accept: true }),
          leave(leaver === 'the seller' ? seller : asked),
        ])
        expect(answer.status, answer.text).toBeLessThan(500)
        const { rows } = await sql<{ status: string; review: string | null }>`
        select q.status, r.status as review
        from review_queue q left join reviews r on r.queue_id = q.id where q.id = ${request.id}`.execute(
          club.system.db,
        )
        if (answer.status === 200) expect(rows).toEqual([{ status: 'lapsed', review: 'lapsed' }])
        else
          expect(rows).toEqual([{ status: leaver === 'the seller' ? 'cancelled' : 'queued', review: null }])
        // No one else should get it in the next round.
        await eraseMember(club.system, seller.me.who.id)
      }
    },
  )

  test('as a seller’s answer causes no deadlock', async () => {
    // PostgreSQL does not resolve a deadlock here, so it would run into the lock timeout and fail.
    const withoutDeadlockDetection = (work: (ctx: Ctx) => Promise<unknown>) =>
      inTransaction(club.system, async (ctx) => {
        await sql`set local deadlock_timeout = '1h'`.execute(ctx.db)
        return work(ctx)
      })
    for (let round = 0; round < 6; round += 1) {
      const [seller, reviewer] = [await someone(), await someone()]
      const review = await submitted(club, seller.username, reviewer.username)
      await Promise.all([
        withoutDeadlockDetection((ctx) => verifyReview(ctx, review, 'seller')),
        withoutDeadlockDetection((ctx) => eraseMember(ctx, reviewer.me.who.id)),
      ])
      expect(await rowOf(review)).toMatchObject({ status: 'verified' })
    }
  })

  test.each(['the reviewer', 'the seller'])(
    'as a review is handed in (%s leaves) makes it final, and leaves no balance behind',
    async (leaver) => {
      const [seller, reviewer] = [await someone(), await someone()]
      const review = await purchased(club, seller.username, reviewer.username)
      const calls: Promise<unknown>[] = []
      await inTransaction(club.system, async (ctx) => {
        await lockRow(ctx, 'reviews', review.id)
        calls.push(submitReview(review.reviewer, submission(review)))
        await waiting(1)
        calls.push(leave(leaver === 'the seller' ? seller : reviewer))
        await waiting(2)
      })
      await Promise.all(calls)
      expect(await rowOf(review)).toMatchObject({ status: 'verified' })
    },
  )

  test('as the other side of an exchange erases both and keeps the ledger balanced', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [seller, reviewer] = [await someone(), await someone()]
      await (round % 2 === 0 ? submitted : accepted)(club, seller.username, reviewer.username)
      await Promise.all([leave(seller), leave(reviewer)])
    }
    const { rows } = await sql<{
      sum: number
    }>`select coalesce(sum(delta), 0) as sum from ledger_entries`.execute(club.system.db)
    expect(rows).toEqual([{ sum: 0 }])
  })

  /** Removes the requests and reviewers of earlier tests, which could be drawn too. */
  async function clearQueue() {
    const open = await club.system.db
      .selectFrom('reviewQueue')
      .select('sellerId')
      .where('status', '=', 'queued')
      .execute()
    for (const { sellerId } of open) await eraseMember(club.system, sellerId)
    await sql`update reviewer_states
      set here_until = null, tier = case when tier = 0 then 1 else tier end`.execute(club.system.db)
  }

  /** Waits until this many statements wait for a lock. */
  async function waiting(wanted: number) {
    for (;;) {
      const { rows } = await sql<{ waits: number }>`select count(*) as waits from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(club.system.db)
      if ((rows[0]?.waits ?? 0) >= wanted) return
    }
  }
})
