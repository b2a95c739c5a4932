import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dashboard, nextSteps, receivedReview, reviewWorkspace } from '#contract/reviews.ts'
import { newId } from '#server/kit/ctx.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { addProductOf } from '#server/matching/testing.ts'
import { returnByStaff } from '#server/moderation/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { confirmReview, lapseOverdueReviews, verifyDueReviews } from './outcomes.ts'
import { proveByOrder } from './proofs.ts'
import {
  getDashboard,
  getNextSteps,
  getReceivedReview,
  getReview,
  listReviewsReceived,
  listReviewsToWrite,
} from './reads.ts'
import { remindReviewers } from './reminders.ts'
import { amendReview } from './returns.ts'
import { checkReviewText, openCoupon, saveDraft, submitReview } from './reviews.ts'
import {
  accepted,
  orderId,
  passHours,
  purchased,
  readyProof,
  submission,
  submitted,
  uploadProof,
} from './testing.ts'

const club = useClub()

const draft = { rating: 5, text: 'So far', usedFor: '', notFor: '', aiAssisted: false }

describe("another member's review", () => {
  const calls: [string, (ctx: MemberCtx, id: string) => Promise<unknown>, 'reviewer' | 'seller'][] = [
    ['getReview', getReview, 'reviewer'],
    ['openCoupon', openCoupon, 'reviewer'],
    ['proveByOrder', (ctx, id) => proveByOrder(ctx, { id, orderId: orderId(), paidCents: 0 }), 'reviewer'],
    ['proveByFile', (ctx, id) => uploadProof(ctx, { id, proof: readyProof(), paidCents: 0 }), 'reviewer'],
    ['saveDraft', (ctx, id) => saveDraft(ctx, { id, draft, basedOn: null }), 'reviewer'],
    ['checkReviewText', (ctx, id) => checkReviewText(ctx, { id, text: 'The tabs are clear.' }), 'reviewer'],
    ['submitReview', (ctx, id) => submitReview(ctx, submission({ id })), 'reviewer'],
    [
      'amendReview',
      (ctx, id) =>
        amendReview(ctx, { id, text: '', usedFor: '', notFor: '', posted: true, postedLink: null }),
      'reviewer',
    ],
    ['getReceivedReview', getReceivedReview, 'seller'],
    ['confirmReview', confirmReview, 'seller'],
  ]

  test.each(calls)(
    'is not found by %s for any user of another side, and nothing changes',
    async (_, work, side) => {
      const review = await submitted(club, 'anna', 'ben')
      const before = await everything()
      const other = side === 'reviewer' ? review.seller : review.reviewer
      for (const ctx of [other, await club.as('clara'), await club.as('ada'), await club.as('sam')]) {
        await expect(work(ctx, review.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      }
      await expect(work(review[side], newId())).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect(await everything()).toEqual(before)
    },
  )

  async function everything() {
    const { rows } = await sql`
      select (select json_agg(r order by id) from reviews r) as reviews, (select count(*)
        from proofs) as proofs,
        (select count(*) from events) as events, (select count(*) from notices) as notices,
        (select count(*) from review_versions) as versions, (select count(*)
          from ledger_entries) as entries`.execute(club.system.db)
    return rows
  }
})

describe('the next steps of a member', () => {
  test('are the reviews to write and to confirm, the nearest deadline first', async () => {
    const later = await accepted(club, 'anna', 'ben')
    const sooner = await accepted(club, 'clara', 'ben', 60)
    const handedIn = await submitted(club, 'dario', 'ben')
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
    const { toWrite, toConfirm } = await getNextSteps(later.reviewer)
    expect([ids(toWrite), ids(toConfirm)]).toEqual([[sooner.id, later.id], []])
    const dario = await getNextSteps(handedIn.seller)
    expect([ids(dario.toWrite), ids(dario.toConfirm)]).toEqual([[], [handedIn.id]])
    expect(dario.toConfirm[0]).toMatchObject({ status: 'reviewed', rating: null })
    await confirmReview(handedIn.seller, handedIn.id)
    expect((await getNextSteps(handedIn.seller)).toConfirm).toEqual([])
  })

  test('say how far the first exchange is', async () => {
    const newcomer = await club.newMember('newcomer')
    expect(nextSteps.parse(await getNextSteps(newcomer)).firstSteps).toEqual({
      connected: false,
      asked: false,
      answered: false,
    })
    const { reviewer, seller } = await accepted(club, 'anna', 'ben')
    const steps = { connected: true, asked: true, answered: false }
    expect((await getNextSteps(seller)).firstSteps).toEqual(steps)
    expect((await getNextSteps(reviewer)).firstSteps).toMatchObject({ asked: false, answered: true })
  })
})

describe('the seller', () => {
  test('sees no rating, text or author in any answer before the review is verified', async () => {
    const change = { rating: 1, text: submission({ id: '' }).text, usedFor: 'A secret use of mine.' }
    const review = await submitted(club, 'anna', 'ben', { ...change, aiAssisted: true })
    const ben = await club.system.db
      .selectFrom('members')
      .select(['username', 'email', 'displayName', 'fullName', 'id'])
      .where('username', '=', 'ben')
      .executeTakeFirstOrThrow()
    const seen = {
      review: await getReceivedReview(review.seller, review.id),
      list: await listReviewsReceived(review.seller, {}),
      dashboard: await getDashboard(review.seller),
      notified: await notificationsOf(review.seller),
    }
    expect(seen.review).toMatchObject({
      rating: null,
      text: null,
      usedFor: null,
      notFor: null,
      aiAssisted: false,
    })
    expect(seen.list.items[0]?.rating).toBeNull()
    expect(seen.dashboard.averageRating.value).toBeNull()
    const text = JSON.stringify(seen)
    for (const secret of [...Object.values(ben), 'A secret use', change.text.slice(-40)]) {
      expect(text).not.toContain(secret)
    }
  })

  test('reads rating and text once it is verified, but not the author', async () => {
    const review = await submitted(club, 'anna', 'ben', { rating: 1 })
    await confirmReview(review.seller, review.id)
    const seen = await getReceivedReview(review.seller, review.id)
    expect(seen).toMatchObject({ rating: 1, status: 'verified' })
    expect(seen.text).toMatch(/^I belong to a review exchange/)
    expect(JSON.stringify(seen)).not.toContain(review.reviewerId)
    expect(JSON.stringify(await notificationsOf(review.seller))).not.toMatch(/ben|star|rating|positive/i)
  })

  test('sees nothing of a review that lapsed', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await returnByStaff(club, review)
    await passHours(review, 80)
    await lapseOverdueReviews(club.system)
    expect(await getReceivedReview(review.seller, review.id)).toMatchObject({
      status: 'lapsed',
      rating: null,
      text: null,
    })
  })

  async function notificationsOf(ctx: MemberCtx) {
    const of = <T extends 'notices' | 'activityItems' | 'mails'>(table: T) =>
      ctx.db
        .selectFrom(table as 'notices')
        .selectAll()
        .where('memberId', '=', ctx.who.id)
        .execute()
    const [notices, activity, mails] = [await of('notices'), await of('activityItems'), await of('mails')]
    return [...notices, ...activity, ...mails]
  }
})

describe('the answers', () => {
  test('have the shape of the contract, in every state', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await confirmReview(review.seller, review.id)
    const other = await accepted(club, 'clara', 'dario')
    for (const { reviewer, seller, id } of [review, other]) {
      expect(reviewWorkspace.parse(await getReview(reviewer, id))).toEqual(
        await cleared(getReview(reviewer, id)),
      )
      expect(receivedReview.parse(await getReceivedReview(seller, id))).toEqual(
        await cleared(getReceivedReview(seller, id)),
      )
      dashboard.parse(await getDashboard(seller))
    }
  })

  async function cleared<T extends { serverTime: string }>(answer: Promise<T>) {
    return { ...(await answer), serverTime: expect.any(String) as string }
  }

  test('of the lists are mine alone, by state, newest first, with my deadline', async () => {
    const first = await submitted(club, 'anna', 'ben')
    await confirmReview(first.seller, first.id)
    await passHours(first, 500)
    const second = await accepted(club, 'clara', 'ben', 80)
    const third = await accepted(club, 'dario', 'ben')
    const ben = first.reviewer
    const ids = async (state?: 'open' | 'final') =>
      (await listReviewsToWrite(ben, { state })).items.map(({ id }) => id)
    expect(await ids()).toEqual([third.id, second.id, first.id])
    expect(await ids('open')).toEqual([third.id, second.id])
    expect(await ids('final')).toEqual([first.id])
    const [newest, late] = (await listReviewsToWrite(ben, {})).items
    expect(newest).toMatchObject({ late: false, dueAt: (await getReview(ben, third.id)).purchaseDueAt })
    expect(late).toMatchObject({ late: true, dueAt: (await getReview(ben, second.id)).dueAt })
    expect((await listReviewsReceived(first.seller, {})).items).toMatchObject([
      { id: first.id, rating: 3, productTitle: 'Planner of anna' },
    ])
    expect((await listReviewsReceived(ben, {})).items).toEqual([])
    const page = await listReviewsToWrite(ben, { limit: 2 })
    const rest = await listReviewsToWrite(ben, { limit: 2, cursor: page.next ?? '' })
    expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual(await ids())
  })

  test('of a waiting review name the seller’s deadline to the seller', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const [row] = (await listReviewsReceived(review.seller, {})).items
    const { confirmDueAt, dueAt, reportableUntil } = await getReceivedReview(review.seller, review.id)
    expect([row?.dueAt, dueAt, reportableUntil]).toEqual([confirmDueAt, confirmDueAt, confirmDueAt])
    expect((await listReviewsToWrite(review.reviewer, {})).items[0]?.dueAt).toBeNull()
  })
})

describe('the dashboard', () => {
  test('shows a newcomer no comparison with the past', async () => {
    expect(await getDashboard(await club.as('finn'))).toEqual({
      totalProducts: { value: 0, change: null },
      averageRating: { value: null, change: null },
    })
  })

  test('counts live products and compares with 30 days ago', async () => {
    const anna = await club.as('anna')
    const goods = [
      { name: 'old', age: 40, archived: null },
      { name: 'gone', age: 40, archived: 2 },
      { name: 'long-gone', age: 80, archived: 60 },
      { name: 'new', age: 2, archived: null },
    ]
    for (const { name, age, archived } of goods) {
      const id = await addProductOf(anna, name)
      await sql`update products set created_at = clock_timestamp() - make_interval(days => ${age}),
        archived_at = clock_timestamp() - make_interval(days => ${archived}::int)
        where id = ${id}`.execute(anna.db)
    }
    expect((await getDashboard(anna)).totalProducts).toEqual({ value: 3, change: 1 })
  })

  test('averages verified ratings alone, and compares with 30 days ago', async () => {
    const old = await submitted(club, 'anna', 'ben', { rating: 2 })
    await confirmReview(old.seller, old.id)
    await passHours(old, 31 * 24)
    const given = await submitted(club, 'dario', 'anna')
    await confirmReview(given.seller, given.id)
    const fresh = await submitted(club, 'anna', 'clara', { rating: 5 })
    expect((await getDashboard(old.seller)).averageRating).toEqual({ value: 2, change: 0 })
    await confirmReview(fresh.seller, fresh.id)
    expect((await getDashboard(old.seller)).averageRating).toEqual({ value: 3.5, change: 1.5 })
  })
})

describe('no outcome depends on the rating', () => {
  /** One history with every outcome, and all its results except the ratings and the minutes. */
  async function history(ratings: number[]) {
    const rating = (at: number) => ratings[at % ratings.length] ?? 1
    const texts = Array.from({ length: 5 }, (_, at) => ({ rating: rating(at), ...textOf(at) }))
    const confirmed = await submitted(club, 'anna', 'ben', texts[0])
    await confirmReview(confirmed.seller, confirmed.id)
    const timed = await submitted(club, 'ben', 'clara', texts[1])
    await passHours(timed, 73)
    await verifyDueReviews(club.system)
    const answered = await submitted(club, 'clara', 'dario', texts[2])
    await returnByStaff(club, answered)
    await submitReview(answered.reviewer, submission(answered, texts[3]))
    const unanswered = await submitted(club, 'dario', 'anna', texts[4])
    await returnByStaff(club, unanswered, 'no_use')
    await passHours(unanswered, 60)
    await remindReviewers(club.system)
    await passHours(unanswered, 20)
    await lapseOverdueReviews(club.system)
    await purchased(club, 'ben', 'dario')
    return outcome()
  }

  function textOf(at: number) {
    return {
      text: `I belong to a review exchange and bought this with a discount code; my opinion is my own.\n\n${
        [
          'The twelve pages print cleanly. I missed a page for notes. Mornings begin with it now.',
          'Its margins are too narrow for my binder. Folding them works well. My sister laughed about it.',
          'Sundays come first here, which is wrong in my country. ' +
            'Changing took ten minutes. It was fine afterwards.',
          'Posted once more, since it had vanished. Sundays still come first. Nothing else to add here.',
          'Half of the sheets stayed empty. The meal plan is another matter. Larger letters would help.',
        ][at]
      }`,
    }
  }

  async function outcome() {
    const { rows } = await sql<{ all: unknown }>`
      select json_build_object(
        'queue', (select json_agg(json_build_array(m.username, n.username, q.status) order by m.username,
          q.id)
          from review_queue q join members m on m.id = q.seller_id left
            join members n on n.id = q.reviewer_id),
        'ledger', (select json_agg(json_build_array(m.username, l.reason, l.delta) order by m.username,
          l.reason)
          from ledger_entries l join members m on m.id = l.member_id),
        'standing', (select json_agg(json_build_array(m.username, s.standing, s.balance, s.pending_give,
          s.pending_take,
            s.open_requests, s.tier, s.band, s.standby, s.available_at > clock_timestamp())
              order by m.username)
          from reviewer_states s join members m on m.id = s.member_id),
        'notices', (select json_agg(json_build_array(m.username, t.title,
            regexp_replace(t.message, '\\d+:\\d\\d [AP]M', 'a minute', 'g'), t.priority)
            order by m.username, t.created_at, t.id)
          from notices t join members m on m.id = t.member_id),
        'mails', (select json_agg(json_build_array(m.username, t.template) order by m.username, t.created_at,
          t.id)
          from mails t join members m on m.id = t.member_id),
        'events', (select json_agg(name order by at, id) from events),
        'strikes', (select json_agg(m.username) from strikes s join members m on m.id = s.member_id),
        'reviews', (select json_agg(json_build_array(status, verified_by, returns, coupon_opens)
          order by accepted_at, id) from reviews)
      ) as all`.execute(club.system.db)
    return rows[0]?.all
  }

  test('the same history with every rating changed is identical', async () => {
    const outcomes: unknown[] = []
    for (const ratings of [[5], [1], [1, 5, 2, 4, 3]]) {
      await sql`savepoint history`.execute(club.system.db)
      outcomes.push(await history(ratings))
      await sql`rollback to savepoint history`.execute(club.system.db)
    }
    const [fives, ones, mixed] = outcomes
    expect(ones).toEqual(fives)
    expect(mixed).toEqual(fives)
    expect(JSON.stringify(fives)).toContain('completed')
  })
})
