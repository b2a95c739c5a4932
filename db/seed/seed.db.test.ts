import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBreaches } from '#db/invariants.ts'
import { canReceiveOffer, canRequestReview } from '#contract/matching.ts'
import { verifyPassword } from '#server/accounts/passwords.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { readAskFacts, readReceiveFacts } from '#server/matching/facts.ts'
import { listStaffCodes } from '#server/sign-in/demo-second-factors.ts'
import { readImage } from '#server/products/images.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { cast, demoPassword } from './cast.ts'
import { products } from './products.ts'
import { seedIfEmpty } from './seed.ts'

const club = useFreshClub()
let dataDir = ''
let starts: Awaited<ReturnType<typeof seedIfEmpty>>[]

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'evenhand-seed-'))
  await sql`truncate members, marketplaces, lottery_days cascade`.execute(club.database.db)
  starts = await Promise.all([
    seedIfEmpty(club.connection, { dataDir, config: club.config }),
    seedIfEmpty(club.connection, { dataDir, config: club.config }),
  ])
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

async function count(query: string) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.raw(query)}`.execute(
    club.database.db,
  )
  return rows[0]?.count
}

const linkOf = (slug: string) => products.find((product) => product.slug === slug)?.couponLink ?? ''

async function productOf(slug: string) {
  const row = await club.database.db
    .selectFrom('products')
    .select('id')
    .where('couponLink', '=', linkOf(slug))
    .executeTakeFirstOrThrow()
  return row.id
}

describe('the demo club', () => {
  test('breaks no invariant', async () => {
    expect(await findBreaches(club.database.db)).toEqual([])
  })

  test('is seeded once by two starts at once, and both print the logins', async () => {
    expect(await count('members')).toBe(cast.length)
    expect(starts[0]?.logins.map(({ email }) => email)).toContain('anna@evenhand.example')
    expect(starts[1]).toEqual(starts[0])
  })

  test('has everybody’s products, each with a picture that is served in every width', async () => {
    expect(await count('products')).toBe(products.length)
    const ctx = { ...club.system, kit: { ...club.system.kit, files: openFiles({ dataDir }) } }
    const { imageId } = await club.database.db
      .selectFrom('products')
      .select('imageId')
      .where('couponLink', '=', linkOf('household-budget'))
      .executeTakeFirstOrThrow()
    for (const width of [320, 640, 1280]) {
      const bytes = await readImage(ctx, imageId ?? '', width)
      expect(bytes?.subarray(8, 12).toString()).toBe('WEBP')
    }
    expect(await count('products where image_id is null')).toBe(0)
  })

  test('has a morning for its staff: messages, a late policy, a failed mail, a second factor', async () => {
    expect(await count(`support_messages where status = 'open' and member_id is null`)).toBeGreaterThan(1)
    expect(await count(`support_messages where status = 'open' and via = 'account'`)).toBeGreaterThan(2)
    expect(await count('marketplaces where next_check_on < current_date')).toBe(1)
    expect(await count('mails where failed_at is not null')).toBe(1)
    expect(await count(`cases where state = 'open' and assigned_to is null`)).toBe(1)
    expect(await count(`cases where state = 'open' and assigned_to is not null`)).toBe(1)
    expect(await count(`cases where state <> 'open'`)).toBe(1)
    const codes = await listStaffCodes({ db: club.database.db, config: club.config }, Date.now())
    expect(codes.map(({ role }) => role)).toEqual(['support', 'admin'])
    for (const { code } of codes) expect(code).toMatch(/^\d{6}$/)
  })

  test('can be signed in to with the password that is printed', async () => {
    const methods = await club.database.db.selectFrom('loginMethods').selectAll().execute()
    expect(methods).toHaveLength(cast.length)
    expect(await verifyPassword(methods[0]?.password ?? '', demoPassword)).toBe(true)
  })

  test('looks back on ninety days of exchanges', async () => {
    expect(await count(`reviews where status = 'verified'`)).toBeGreaterThan(120)
    expect(await count(`review_queue where status = 'queued'`)).toBe(4)
    expect(await count(`reviews where status = 'purchased'`)).toBeGreaterThan(1)
    expect(await count(`reviews where status = 'lapsed'`)).toBeGreaterThan(0)
    expect(await count(`offers where state = 'expired'`)).toBeGreaterThan(0)
    expect(await count(`review_queue where created_at > clock_timestamp()`)).toBe(0)
    expect(await count(`notices where read_at is null`)).toBeGreaterThan(0)
  })

  test('has anna with something to write, something to confirm, and a product to ask for', async () => {
    const anna = await club.as('anna')
    const id = anna.who.id
    expect(
      await count(`reviews where reviewer_id = '${id}' and status = 'purchased' and draft is not null`),
    ).toBe(1)
    expect(await count(`reviews where seller_id = '${id}' and status = 'reviewed'`)).toBe(1)
    const productId = await productOf('price-your-work')
    const facts = (await readAskFacts(anna, [productId])).get(productId)
    expect(facts && canRequestReview(facts)).toBe(true)
  })

  test('has ben with something to buy and something to confirm', async () => {
    const { who } = await club.as('ben')
    expect(await count(`reviews where reviewer_id = '${who.id}' and status = 'pending'`)).toBe(1)
    expect(await count(`reviews where seller_id = '${who.id}' and status = 'reviewed'`)).toBe(1)
  })

  test.each([
    ['clara', true],
    ['dario', 'COOLDOWN'],
    ['elif', 'MEMBERSHIP_PAUSED'],
    ['finn', true],
  ])('has %s, of whom the rotation says: %s', async (username, standing) => {
    const facts = await readReceiveFacts(await club.as(username))
    expect(facts && canReceiveOffer(facts)).toBe(standing)
  })

  test('has clara owe one, and finn with nothing listed', async () => {
    expect((await readReceiveFacts(await club.as('clara')))?.balance).toBe(-1)
    expect(await count(`products where seller_id = '${await club.idOf('finn')}'`)).toBe(0)
  })

  test('has its figures', async () => {
    const figures = await club.database.db.selectFrom('rotationFigures').selectAll().executeTakeFirstOrThrow()
    expect(figures.members).toBeGreaterThan(40)
    expect(figures.typicalWaitHours).toBeGreaterThan(0)
  })
})
