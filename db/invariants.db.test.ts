import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withDisclosure } from '#contract/review-text.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { close, freshAdmin } from '#server/products/testing.ts'
import { followClosures } from '#server/reviews/ended/closures.ts'
import { decideCase } from '#server/moderation/decisions.ts'
import { findFlags, openFlagCase } from '#server/moderation/flags.ts'
import { decided, reported } from '#server/moderation/testing.ts'
import { cancelRequest } from '#server/matching/requests.ts'
import { askForReview, productOf } from '#server/matching/testing.ts'
import { accepted, disclosure, readyProof, submitted, uploadProof } from '#server/reviews/testing.ts'
import { findBreachesAtOnce } from '#server/testing/planned-once.ts'
import { useClub } from '#server/testing/club.ts'

const club = useClub()

/** The numbers of the invariants that a change breaks. The change is undone. */
async function brokenBy(change: (ctx: Ctx) => Promise<unknown>) {
  const undone = new Error('undone')
  let broken: string[] = []
  await inTransaction(club.system, async (ctx) => {
    await change(ctx)
    broken = (await findBreachesAtOnce(ctx.db)).map(({ invariant }) => invariant.split(' ')[0] ?? '')
    throw undone
  }).catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return broken
}

test.each([
  'Good.',
  'I like it. It is good.',
  'word '.repeat(39),
  `${'a sentence that is long. '.repeat(400)}`,
])('a submitted review that is too short or too long is found: %#', async (body) => {
  const review = await submitted(club, 'anna', 'ben')
  const change = (ctx: Ctx) =>
    sql`update reviews set body = ${body.slice(0, 8900)} where id = ${review.id}`.execute(ctx.db)
  expect(await brokenBy(change)).toEqual(['I15b'])
})

test.each([
  'word '.repeat(40),
  'It opens. It prints. It lasts',
  '使いやすくて毎週の計画に役立っています。'.repeat(5),
])('a submitted review of the shortest length is none: %#', async (body) => {
  const review = await submitted(club, 'anna', 'ben')
  expect(
    await brokenBy((ctx) => sql`update reviews set body = ${body} where id = ${review.id}`.execute(ctx.db)),
  ).toEqual([])
})

test('a second draw on the day of a request that is not completed is found', async () => {
  const anna = await club.as('anna')
  const product = await productOf(anna)
  const { id } = await askForReview(anna, product)
  await cancelRequest(anna, id)
  await askForReview(anna, product)
  const change = (ctx: Ctx) =>
    sql`update review_queue set lottery_ticket = nextval('lottery_tickets')
      where product_id = ${product} and status <> 'cancelled'`.execute(ctx.db)
  expect(await brokenBy(change)).toEqual(['L04'])
})

test('a public-lane text without the disclosure in front is found, another lane’s is not', async () => {
  await submitted(club, 'anna', 'ben')
  const without = (lane: string) => (ctx: Ctx) =>
    sql`update review_versions set lane = ${lane}, body = 'No ' || body`.execute(ctx.db)
  expect(await brokenBy(without('public'))).toEqual(['I15c'])
  expect(await brokenBy(without('private'))).toEqual([])
  const spaced = (ctx: Ctx) =>
    sql`update review_versions set body = upper(replace(body, ' ', E' \n'))`.execute(ctx.db)
  expect(await brokenBy(spaced)).toEqual([])
})

test('what looks like a secret is found in the activity log and in messages to our staff', async () => {
  const found = await brokenBy(async (ctx) => {
    await sql`insert into activity_logs (id, action, metadata)
      values (gen_random_uuid(), 'x', '{"error": "sk_live_51Habcdefgh"}')`.execute(ctx.db)
  })
  expect(found).toEqual(['I36'])
  const pasted = await brokenBy(async (ctx) => {
    await sql`insert into support_messages (id, name, email, category, subject, message)
      values (gen_random_uuid(), 'Mara', 'mara@shop.example', 'other', 'Help', 'Password: hunter22')`.execute(
      ctx.db,
    )
  })
  expect(pasted).toEqual(['I36'])
})

test('a club that loses its last admin is found', async () => {
  expect(
    await brokenBy((ctx) => sql`update members set role = 'user' where role = 'admin'`.execute(ctx.db)),
  ).toEqual(['I38'])
})

test('every change of a role leaves a row, and one without a row is found', async () => {
  const anna = await club.idOf('anna')
  const change = sql`update members set role = 'support' where id = ${anna}`
  await change.execute(club.system.db)
  const rows = await club.system.db
    .selectFrom('roleChanges')
    .select(['oldRole', 'newRole', 'login'])
    .where('memberId', '=', anna)
    .execute()
  expect(rows).toEqual([{ oldRole: 'user', newRole: 'support', login: club.connection.user }])
  const silent = await brokenBy(async (ctx) => {
    await sql`set local session_replication_role = replica`.execute(ctx.db)
    await sql`update members set role = 'admin' where id = ${anna}`.execute(ctx.db)
    await sql`set local session_replication_role = origin`.execute(ctx.db)
  })
  expect(silent).toEqual(['I38b'])
})

test('a file that proved two reviews is found, whatever became of its proofs', async () => {
  const [first, second] = [await accepted(club, 'anna', 'ben'), await accepted(club, 'clara', 'dario')]
  const proof = readyProof()
  await uploadProof(first.reviewer, { id: first.id, proof, paidCents: 0 })
  await uploadProof(first.reviewer, { id: first.id, proof: readyProof(), paidCents: 0 })
  await uploadProof(second.reviewer, { id: second.id, proof: readyProof(), paidCents: 0 })
  const again = (ctx: Ctx) =>
    sql`update proofs set sha256 = ${proof.sha256} where review_id = ${second.id}`.execute(ctx.db)
  expect(await brokenBy(again)).toEqual(['I41b'])
})

test('a correction that isn’t its entry’s opposite is found, and one without the club’s side', async () => {
  const review = await submitted(club, 'anna', 'ben')
  await verifyReview(club.system, review, 'seller')
  const correct = (memberId: string | null, delta: number) => (ctx: Ctx) =>
    sql`insert into ledger_entries (id, member_id, reason, delta, corrects)
      select gen_random_uuid(), ${memberId}::uuid, 'corrected', ${delta}, id from ledger_entries
      where review_id = ${review.id} and member_id = ${review.reviewerId}`.execute(ctx.db)
  const moved = (delta: number) => (ctx: Ctx) =>
    sql`update reviewer_states set balance = balance + ${delta}
      where member_id = ${review.reviewerId}`.execute(ctx.db)
  const both = async (ctx: Ctx, delta: number) => {
    await correct(review.reviewerId, delta)(ctx)
    await correct(null, -delta)(ctx)
    await moved(delta)(ctx)
  }
  expect(await brokenBy((ctx) => both(ctx, -1))).toEqual([])
  expect(await brokenBy((ctx) => both(ctx, 1))).toEqual(['I19f'])
  expect(await brokenBy(correct(null, 1))).toEqual(['I19', 'I19e', 'I19f'])
})

test('a suspension that outlasts its end is found', async () => {
  const suspended = (until: string) => (ctx: Ctx) =>
    sql`update members set suspended_at = clock_timestamp() - interval '9 days',
      suspended_until = clock_timestamp() - ${until}::interval where username = 'ben'`.execute(ctx.db)
  expect(await brokenBy(suspended('50 minutes'))).toEqual([])
  expect(await brokenBy(suspended('70 minutes'))).toEqual(['I26b'])
})

test('a former version that is missing, and a closing of an open marketplace, are found', async () => {
  const admin = await freshAdmin(club)
  const review = await accepted(club, 'anna', 'ben')
  await close(admin, 'end')
  await followClosures(club.system)
  expect(await brokenBy(({ db }) => sql`delete from marketplace_versions`.execute(db))).toEqual(['I60'])
  expect(await brokenBy(({ db }) => sql`update marketplaces set lane = 'public'`.execute(db))).toEqual([
    'I61',
  ])
  const strike = ({ db }: Ctx) =>
    sql`insert into strikes (id, member_id, review_id)
      values (gen_random_uuid(), ${review.reviewerId}, ${review.id})`.execute(db)
  expect(await brokenBy(strike)).toEqual(['I62'])
})

test('a report that was lost by its review, and a decision by one who is part of it, are found', async () => {
  const review = await submitted(club, 'anna', 'ben')
  const id = await reported(review)
  const released = (ctx: Ctx) =>
    sql`update reviews set held_at = null where id = ${review.id}`.execute(ctx.db)
  expect(await brokenBy(released)).toEqual(['M01'])
  await decideCase(await club.as('sam'), decided(id, { outcome: 'returned', rule: 'no_use' }))
  const lost = (ctx: Ctx) =>
    sql`update cases set state = 'closed', closed_at = clock_timestamp(), closed_as = 'ended',
      answer_due_at = null where id = ${id}`.execute(ctx.db)
  expect(await brokenBy(lost)).toEqual(['M02'])
  const own = (ctx: Ctx) =>
    sql`update case_decisions set decided_by = ${review.sellerId} where case_id = ${id}`.execute(ctx.db)
  expect(await brokenBy(own)).toEqual(['M03'])
})

test('a flag about other texts, and a case that is not about its flag, are found', async () => {
  const text = `I use it every week, and ${'it keeps the same words in the same order. '.repeat(8)}`
  const first = await submitted(club, 'anna', 'ben', { text: withDisclosure(disclosure, text) })
  await submitted(club, 'clara', 'dario', { text: withDisclosure(disclosure, text) })
  await findFlags(club.system)
  const { id } = await club.system.db.selectFrom('flags').select('id').executeTakeFirstOrThrow()
  expect(await brokenBy(({ db }) => sql`delete from similar_texts`.execute(db))).toEqual(['F01'])
  const sam = await club.as('sam')
  const { caseId } = await openFlagCase(sam, { id, reason: 'Most sentences are the same.' })
  const silent = (ctx: Ctx) => sql`update cases set flagged = false where id = ${caseId}`.execute(ctx.db)
  expect(await brokenBy(silent)).toEqual(['F02'])
  const elsewhere = (ctx: Ctx) =>
    sql`update cases set review_id = ${first.id} where id = ${caseId}`.execute(ctx.db)
  expect(await brokenBy(elsewhere)).toEqual(['F02'])
  await decideCase(sam, decided(caseId))
  const byOther = (ctx: Ctx) =>
    sql`update case_decisions set decided_by = ${first.sellerId} where case_id = ${caseId}`.execute(ctx.db)
  expect(await brokenBy(byOther)).toEqual(['F03'])
})

test('a membership that is to end, one without its subscription, and a late event are found', async () => {
  const memberId = await club.idOf('anna')
  const pays = (ctx: Ctx) =>
    sql`update memberships set source = 'stripe', stripe_customer_id = 'cus', stripe_subscription_id = 'sub'
      where member_id = ${memberId}`.execute(ctx.db)
  expect(await brokenBy(pays)).toEqual([])
  const ordered = (kind: string) => async (ctx: Ctx) => {
    await pays(ctx)
    await sql`insert into membership_orders (id, member_id, kind, subscription_id)
      values (gen_random_uuid(), ${memberId}, ${kind}, 'sub')`.execute(ctx.db)
  }
  expect(await brokenBy(ordered('end'))).toEqual(['I28'])
  expect(await brokenBy(ordered('refund'))).toEqual(['I28'])
  expect(await brokenBy(ordered('cancel'))).toEqual([])
  const without = async (ctx: Ctx) => {
    await pays(ctx)
    await sql`update memberships set stripe_subscription_id = null where member_id = ${memberId}`.execute(
      ctx.db,
    )
  }
  expect(await brokenBy(without)).toEqual(['I29'])
  const waits = (minutes: number) => (ctx: Ctx) =>
    sql`insert into stripe_events (id, type, created_at, received_at) values ('evt', 'invoice.paid',
      clock_timestamp(), clock_timestamp() - make_interval(mins => ${minutes}))`.execute(ctx.db)
  expect(await brokenBy(waits(11))).toEqual(['I30'])
  expect(await brokenBy(waits(9))).toEqual([])
})
