import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { addProductOf } from '#server/matching/testing.ts'
import { confirmReview } from '#server/reviews/outcomes.ts'
import { accepted, rowOf, submitted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { find } from './find.ts'

const club = useClub()

async function withProducts(...titles: string[]) {
  const anna = await club.as('anna')
  for (const [nth, title] of titles.entries()) {
    const id = await addProductOf(anna, `find-${nth}`)
    await sql`update products
      set title = ${title}, updated_at = clock_timestamp() + make_interval(secs => ${nth})
      where id = ${id}`.execute(anna.db)
  }
  return anna
}

const titlesFor = async (ctx: MemberCtx, text: string) =>
  (await find(ctx, text)).products.map(({ title }) => title)

describe('the search of products', () => {
  test('finds mine by title words in any order, with accents and typos, best and latest first', async () => {
    const anna = await withProducts('Wedding budget', 'Budget of a café', 'Family budget', 'Moon poster')
    expect(await titlesFor(anna, 'budg')).toEqual(['Budget of a café', 'Family budget', 'Wedding budget'])
    expect(await titlesFor(anna, 'budget WED')).toEqual(['Wedding budget'])
    expect(await titlesFor(anna, 'budgte weding')).toEqual(['Wedding budget'])
    expect(await titlesFor(anna, 'cafe')).toEqual(['Budget of a café'])
    for (const nothing of ['walrus', '...', '%', 'budget walrus', "'; drop table products; --"])
      expect(await titlesFor(anna, nothing), nothing).toEqual([])
    expect(await titlesFor(await club.as('ben'), 'budget')).toEqual([])
    expect((await titlesFor(anna, ' '))[0]).toBe('Moon poster')
  })
})

describe('the search of reviews', () => {
  test('reads the text of a received review only once it is verified', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const { id, reviewer, seller } = review
    const [word = ''] = /[a-z]{6,}/.exec((await rowOf(review)).body ?? '') ?? []
    const written = { id, excerpt: expect.stringContaining(word) }
    expect((await find(reviewer, word)).toWrite).toMatchObject([written])
    expect((await find(seller, word)).received).toEqual([])
    await confirmReview(seller, id)
    const found = await find(seller, word)
    expect(found).toMatchObject({ received: [written], toWrite: [] })
    expect((await find(await club.as('clara'), word)).received).toEqual([])
  })

  test('finds them by the title as it was offered', async () => {
    const { reviewer, seller, id } = await accepted(club, 'anna', 'ben')
    expect((await find(reviewer, 'planer')).toWrite).toMatchObject([{ id, excerpt: null }])
    expect((await find(seller, 'planner')).received).toMatchObject([{ id, status: 'pending' }])
    expect((await find(reviewer, '')).toWrite).toHaveLength(1)
  })
})

describe('the search of members', () => {
  test('finds usernames by their beginning, then by likeness, and none that is not confirmed', async () => {
    const anna = await club.as('anna')
    for (const name of ['marguerite', 'margo', 'zebulon']) await club.newMember(name)
    const names = async (text: string) => (await find(anna, text)).members.map(({ username }) => username)
    expect(await names('@marg')).toEqual(['margo', 'marguerite'])
    expect(await names('margeurite')).toEqual(['marguerite'])
    expect(await names('m_rg')).toEqual([])
    await sql`update members set email_verified = false where username = 'zebulon'`.execute(anna.db)
    expect(await names('zebulon')).toEqual([])
    expect(await names('z')).toEqual([])
  })
})
