// The search of a member: over what is theirs, and over usernames, which are public in the club. Products and
// reviews of others are never read.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { searchHits } from '#contract/search.ts'
import type { ReviewStatus } from '#contract/reviews.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { acceptedOffer, offered } from '#server/matching/snapshots.ts'
import { findMembers } from '#server/members/reads.ts'
import { canManage } from '#server/products/my-products.ts'

type FoundReview = { id: string; productTitle: string; status: ReviewStatus; excerpt: string | null }

/**
 * My products and reviews that hold each word of the text, or one like it, the best first and the later of
 * two equals first, and the members with the nearest usernames. An empty text finds what I had to do with
 * last. The text of a review that I received is searched only once it is verified.
 */
export async function find(ctx: MemberCtx, text: string) {
  const words = wordsOf(text)
  // Punctuation alone has nothing in common with anything.
  if (words.length === 0 && text.trim() !== '')
    return { products: [], toWrite: [], received: [], members: [] }
  return {
    products: await findProducts(ctx, words),
    toWrite: await findReviews(ctx, words, 'mine'),
    received: await findReviews(ctx, words, 'received'),
    members: await findUsernames(ctx, text),
  }
}

const wordLimit = 6

/** The words in lower case, without accents, as the titles are compared. */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, wordLimit)
}

/** The least likeness of a word and a part of a title: one typo in a word of five letters, two in ten. */
const likeness = 0.5

/** In SQL: a text in lower case, without accents. */
function plainText(text: RawBuilder<unknown>) {
  return sql`regexp_replace(normalize(lower(${text}), NFKD), '[\\u0300-\\u036f]', '', 'g')`
}

/** In SQL: how well a text holds all of these words: 0 when one is missing, 2 when it begins with it. */
function scoreOf(text: RawBuilder<unknown>, words: string[]) {
  if (words.length === 0) return sql<number>`1::float8`
  return sql<number>`(
    select case when bool_and(w.score > 0) then avg(w.score) else 0 end
    from (
      select case
        when starts_with(t.text, word) then 2
        when t.text ~ ('\\m' || word) then 1.5
        when length(word) > 3 and word_similarity(word, t.text) >= ${likeness}
          then word_similarity(word, t.text)
        else 0 end as score
      from unnest(${words}::text[]) as word, (select ${plainText(text)} as text offset 0) t
    ) w)::float8`
}

function findProducts(ctx: MemberCtx, words: string[]) {
  return ctx.db
    .selectFrom((eb) =>
      eb
        .selectFrom('products')
        .select(['id', 'title', 'archivedAt', 'updatedAt'])
        .select(scoreOf(sql`title || ' ' || array_to_string(tags, ' ')`, words).as('score'))
        .where(canManage(ctx, 'sellerId'))
        .where('deletedAt', 'is', null)
        .as('mine'),
    )
    .select(['id', 'title', sql<boolean>`archived_at is not null`.as('archived')])
    .where('score', '>', 0)
    .orderBy('score', 'desc')
    .orderBy('updatedAt', 'desc')
    .limit(mostOf(words))
    .execute()
}

/** In SQL: the text that its reader may search. A review I received is read only once it is final. */
const readable = {
  mine: sql<string | null>`coalesce(reviews.draft ->> 'text', reviews.body)`,
  received: sql<string | null>`case when status = 'verified' and removed_at is null then reviews.body end`,
}

function findReviews(ctx: MemberCtx, words: string[], whose: 'mine' | 'received'): Promise<FoundReview[]> {
  const inText = sql<boolean>`(select coalesce(bool_and(position(word in lower(text)) > 0), false)
    from unnest(${words}::text[]) as word)`
  return ctx.db
    .selectFrom((eb) =>
      eb
        .selectFrom('reviews')
        .innerJoin('offers', acceptedOffer)
        .select(['reviews.id', 'reviews.status', 'acceptedAt', offered.title.as('productTitle')])
        .select([readable[whose].as('text'), scoreOf(offered.title, words).as('score')])
        .where(
          whose === 'mine'
            ? sql<boolean>`reviews.reviewer_id = ${ctx.who.id}`
            : canManage(ctx, 'reviews.sellerId'),
        )
        .as('found'),
    )
    .select(['id', 'productTitle', 'status'])
    .select(
      sql<string | null>`case when score = 0 then
        substring(text from greatest(1, position(${words[0] ?? ''} in lower(text)) - 30) for 90) end`.as(
        'excerpt',
      ),
    )
    .where(sql<boolean>`(score > 0 or ${inText})`)
    .orderBy('score', 'desc')
    .orderBy('acceptedAt', 'desc')
    .limit(mostOf(words))
    .execute()
}

const mostOf = (words: string[]) => (words.length === 0 ? searchHits.recent : searchHits.found)

const username = /^@?([a-z0-9_-]{2,20})$/

/** The least likeness of two usernames of which one has a typo. */
const nearness = 0.35

/** Usernames that begin with the text, then those that are like it. */
async function findUsernames(ctx: MemberCtx, text: string) {
  const [, name] = username.exec(text.trim().toLowerCase()) ?? []
  if (!name) return []
  const begin = (await findMembers(ctx, name)).slice(0, searchHits.found)
  // Two or three letters are like too many names.
  if (begin.length >= searchHits.found || name.length < 4) return begin
  // The index finds what shares enough letters (%), instead of going through all names by their distance.
  const { rows: near } = await sql<{ username: string; avatar: string | null; near: number }>`
    select username, avatar_key as avatar, similarity(username, ${name}) as near from members
    where email_verified and erased_at is null and username % ${name}
    order by username <-> ${name} limit ${searchHits.found}`.execute(ctx.db)
  const alike = near.filter((each) => each.near >= nearness)
  const known = new Set(begin.map((each) => each.username))
  return [...begin, ...alike.filter((each) => !known.has(each.username))]
    .slice(0, searchHits.found)
    .map(({ username, avatar }) => ({ username, avatar }))
}
