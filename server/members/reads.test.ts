import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { productOf } from '#server/matching/testing.ts'
import { archiveProduct, restoreProduct } from '#server/products/products.ts'
import { useClub } from '#server/testing/club.ts'
import { updatePreferences } from './profile.ts'
import { findMembers, getMe, getMember, getProfile } from './reads.ts'

const club = useClub()

const found = async (start: string) =>
  (await findMembers(await club.as('anna'), start)).map(({ username }) => username)

describe('the search of members', () => {
  test('finds usernames by their beginning, ignoring case', async () => {
    expect(await found('BE')).toEqual(['ben'])
    expect(await found(' ben ')).toEqual(['ben'])
    expect(await found('en')).toEqual([])
  })

  test.each(['', '  ', '%', 'b%', '\\', 'b\0', 'be n', 'é'])('finds no one by %j', async (start) => {
    expect(await found(start)).toEqual([])
  })

  test('treats an underscore literally', async () => {
    await club.newMember('find_me')
    await club.newMember('findxme')
    expect(await found('find_')).toEqual(['find_me'])
  })

  test('returns at most ten, in alphabetical order', async () => {
    for (let n = 30; n > 10; n -= 1) await club.newMember(`many-${n}`)
    expect(await found('many')).toEqual(Array.from({ length: 10 }, (_, n) => `many-${n + 11}`))
  })

  test('leaves out members who are unconfirmed or, like erased ones, have no username', async () => {
    for (const username of ['hidden-one', 'hidden-two']) await club.newMember(username)
    await sql`update members set email_verified = false where username = 'hidden-one'`.execute(club.system.db)
    await sql`update members set username = null where username = 'hidden-two'`.execute(club.system.db)
    expect(await found('hidden')).toEqual([])
    for (const username of ['hidden-one', 'hidden-two', 'unknown', '%', 'a\0b', '']) {
      await expect(getMember(club.system, username)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  test('uses an index, even with thousands of members', async () => {
    await sql`insert into members (id, email, email_verified, username)
      select gen_random_uuid(), 'crowd' || n || '@mail.example', true, 'crowd-' || n
      from generate_series(1, 5000) n`.execute(club.system.db)
    await sql`analyze members`.execute(club.system.db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select username, avatar_key as avatar from members
      where username ~>=~ 'be' and username ~<~ 'be~' and email_verified and erased_at is null
      order by username using ~<~ limit 10`.execute(club.system.db)
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    expect(plan).toContain('members_username_prefix')
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  })
})

describe('the public data of a member', () => {
  test('is the verified reviews up to last month and the live products, and nothing private', async () => {
    const thisMonth = sql`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM')`
    await connectedLastYear('ben')
    const shown = await getMember(await club.as('anna'), ' Ben')
    const { rows } = await sql<{ given: number; received: number; live: number; since: string }>`
      select (select count(*) from reviews where reviewer_id = m.id and status = 'verified'
          and to_char(verified_at at time zone 'UTC', 'YYYY-MM') < ${thisMonth}) as given,
        (select count(*) from reviews where seller_id = m.id and status = 'verified'
          and to_char(verified_at at time zone 'UTC', 'YYYY-MM') < ${thisMonth}) as received,
        (select count(*) from products
          where seller_id = m.id and archived_at is null and deleted_at is null) as live,
        to_char(created_at at time zone 'UTC', 'YYYY-MM') as since
      from members m where username = 'ben'`.execute(club.system.db)
    expect(shown).toEqual({
      username: 'ben',
      avatar: null,
      memberSince: rows[0]?.since,
      reviewsGiven: rows[0]?.given,
      reviewsReceived: rows[0]?.received,
      liveProducts: rows[0]?.live,
    })
    expect(shown.liveProducts).toBeGreaterThan(0)
  })

  test('counts live products as they were when the month began', async () => {
    await connectedLastYear('ben')
    const live = async () => (await getMember(club.system, 'ben')).liveProducts
    const before = await live()
    // A change of the count at this moment would show whose product it is.
    await changeProduct('ben', sql`archived_at = clock_timestamp()`)
    expect(await live()).toBe(before)
    await changeProduct('ben', sql`archived_at = ${monthStart} - interval '1 second'`)
    expect(await live()).toBe(before - 1)
    await changeProduct('ben', sql`archived_at = null, created_at = ${monthStart}`)
    expect(await live()).toBe(before - 1)
    await changeProduct('ben', sql`created_at = ${monthStart} - interval '1 second'`)
    expect(await live()).toBe(before)
  })

  test('counts no live product more or less in the month in which it is restored', async () => {
    await connectedLastYear('ben')
    const ben = await club.as('ben')
    const live = async () => (await getMember(club.system, 'ben')).liveProducts
    const before = await live()
    const id = await productOf(ben)
    await archiveProduct(ben, id)
    await restoreProduct(ben, id)
    expect(await live()).toBe(before)
    await archiveProduct(ben, id)
    await changeProduct('ben', sql`archived_at = ${monthStart} - interval '1 second'`)
    expect(await live()).toBe(before - 1)
    await restoreProduct(ben, id)
    expect(await live()).toBe(before - 1)
    await archiveProduct(ben, id)
    await restoreProduct(ben, id)
    expect(await live()).toBe(before - 1)
    await changeProduct('ben', sql`live_since = ${monthStart} - interval '1 second'`)
    expect(await live()).toBe(before)
  })
})

const monthStart = sql`date_trunc('month', clock_timestamp(), 'UTC')`

async function connectedLastYear(username: string) {
  await sql`update products p set created_at = p.created_at - interval '1 year' from members m
    where m.id = p.seller_id and m.username = ${username}`.execute(club.system.db)
}

/** Changes the first product of a member. */
async function changeProduct(username: string, to: ReturnType<typeof sql>) {
  await sql`update products set ${to}
    where id = (select p.id from products p join members m on m.id = p.seller_id
      where m.username = ${username} and p.deleted_at is null
      order by p.id limit 1)`.execute(club.system.db)
}

describe('the format of dates', () => {
  test('is American and follows the device’s time zone until I choose', async () => {
    const anna = await club.as('anna')
    expect(await getProfile(anna)).toMatchObject({ locale: 'en-US', timeZone: null })
    await updatePreferences(anna, { locale: 'en-GB', timeZone: 'Europe/Berlin' })
    expect(await getProfile(anna)).toMatchObject({ locale: 'en-GB', timeZone: 'Europe/Berlin' })
    expect(await getMe(anna)).toMatchObject({ locale: 'en-GB', timeZone: 'Europe/Berlin', twoFactor: false })
    await updatePreferences(anna, { locale: 'en-GB', timeZone: null })
    expect(await getMe(anna)).toMatchObject({ timeZone: null })
  })
})
