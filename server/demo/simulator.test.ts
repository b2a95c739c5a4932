import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { findBreaches } from '#db/invariants.ts'
import { marketplace } from '#db/seed/products.ts'
import { seedIfEmpty } from '#db/seed/seed.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { bePresent } from '#server/matching/signals.ts'
import { consentToMarketplace, listMarketplaces } from '#server/products/marketplaces.ts'
import { addProduct } from '#server/products/products.ts'
import { confirmReview } from '#server/reviews/outcomes.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { startSimulator, simulatorStep } from './simulator.ts'
import { askForReview } from '#server/matching/testing.ts'

const club = useFreshClub()

beforeAll(async () => {
  await sql`truncate members, marketplaces, lottery_days cascade`.execute(club.database.db)
  await seedIfEmpty(club.connection, { withPictures: false })
  club.config.useTime.longestSeconds = 0
})

/** Ten seconds pass, then the simulator and the rotation do what is due. */
async function tenSecondsLater() {
  await letTenSecondsPass()
  await simulatorStep(club.system)
  await matchRequests(club.system)
}

async function letTenSecondsPass() {
  const { db } = club.database
  const earlier = sql`interval '10 seconds'`
  await sql`update offers set offered_at = offered_at - ${earlier} where state = 'open'`.execute(db)
  await sql`update reviews set accepted_at = accepted_at - ${earlier},
    purchased_at = purchased_at - ${earlier},
    usable_from = usable_from - ${earlier}, submitted_at = submitted_at - ${earlier}
    where status in ('pending', 'purchased', 'reviewed')`.execute(db)
  await sql`update reviewer_states set turn_at = turn_at - ${earlier},
    here_until = here_until - ${earlier}`.execute(db)
  await sql`update review_queue set created_at = created_at - ${earlier} where status = 'queued'`.execute(db)
}

let listings = 500

async function newcomer(username: string): Promise<{ ctx: MemberCtx; productId: string }> {
  const ctx = await club.newMember(username)
  for (const { id, policyVersion } of await listMarketplaces(ctx)) {
    await consentToMarketplace(ctx, { id, policyVersion })
  }
  const productId = await addProduct(ctx, {
    title: `Tide Tables of ${username}: a planner for people who row`,
    category: 'template',
    couponLink: `https://${marketplace.host}/listing/${(listings += 1)}?coupon=TIDE`,
  })
  return { ctx, productId }
}

async function statusOf(queueId: string) {
  const { status } = await club.database.db
    .selectFrom('reviewQueue')
    .select('status')
    .where('id', '=', queueId)
    .executeTakeFirstOrThrow()
  return status
}

function reviewOf(queueId: string) {
  return club.database.db.selectFrom('reviews').selectAll().where('queueId', '=', queueId).executeTakeFirst()
}

async function count(rows: string) {
  const found = await sql<{ count: number }>`select count(*) as count from ${sql.raw(rows)}`.execute(
    club.database.db,
  )
  return found.rows[0]?.count ?? 0
}

test('A newcomer’s product is reviewed within two minutes, and the newcomer confirms it', async () => {
  const { ctx, productId } = await newcomer('nova')
  const { id } = await askForReview(ctx, productId)
  const seen = new Set([await statusOf(id)])
  const isWritten = async () => (await reviewOf(id))?.status === 'reviewed'
  for (let ten = 0; ten < 12 && !(await isWritten()); ten += 1) {
    await tenSecondsLater()
    seen.add(await statusOf(id))
  }
  expect([...seen]).toEqual(['queued', 'offered', 'in_review'])
  // A few minutes later it still waits for the newcomer.
  for (let ten = 0; ten < 18; ten += 1) await tenSecondsLater()
  const review = await reviewOf(id)
  expect(review).toMatchObject({ status: 'reviewed', couponOpens: 1 })
  expect(review?.body).toContain('“Tide Tables of nova”')
  await confirmReview(ctx, review?.id ?? '')
  expect(await statusOf(id)).toBe('completed')
  expect(await reviewOf(id)).toMatchObject({ status: 'verified', verifiedBy: 'seller' })
  expect(await findBreaches(club.database.db)).toEqual([])
})

test('A newcomer who is present gets an offer of a simulated member’s product', async () => {
  const ctx = await club.newMember('oriel')
  for (let ten = 0; ten < 6; ten += 1) {
    await bePresent(ctx)
    await tenSecondsLater()
  }
  expect(await count(`offers where reviewer_id = '${ctx.who.id}'`)).toBe(1)
})

test('What anna and ben have in progress is left for them', async () => {
  for (const username of ['anna', 'ben']) {
    const id = await club.idOf(username)
    expect(await count(`reviews where seller_id = '${id}' and status = 'reviewed'`)).toBe(1)
    expect(await count(`reviews where reviewer_id = '${id}' and status in ('pending', 'purchased')`)).toBe(1)
  }
})

test('Twenty simulated minutes break no invariant and keep a few requests waiting', async () => {
  const before = await count(`reviews where status = 'verified'`)
  for (let ten = 0; ten < 120; ten += 1) await tenSecondsLater()
  expect(await findBreaches(club.database.db)).toEqual([])
  expect(await count(`reviews where status = 'verified'`)).toBeGreaterThan(before + 5)
  expect(await count(`review_queue where status = 'queued'`)).toBeGreaterThanOrEqual(2)
  expect(await count(`review_queue where status = 'queued'`)).toBeLessThanOrEqual(6)
})

test('A worker skips the step while another one runs it', async () => {
  const { ctx, productId } = await newcomer('quill')
  await askForReview(ctx, productId)
  const came = () => count(`reviewer_states where last_seen_at > clock_timestamp() - interval '1 minute'`)
  await sql`update reviewer_states set last_seen_at = last_seen_at - interval '1 hour'`.execute(
    club.database.db,
  )
  await club.database.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('demo-simulator', 0))`.execute(db)
    await simulatorStep(club.system)
  })
  expect(await came()).toBe(0)
  await simulatorStep(club.system)
  expect(await came()).toBeGreaterThan(0)
})

test('Outside demo mode there is no simulator', async () => {
  const production = { ...club.system, config: { ...club.config, mode: 'production' as const } }
  const before = await count('events')
  const simulator = startSimulator(production)
  await simulatorStep(production)
  await simulator.stop()
  expect(await count('events')).toBe(before)
})
