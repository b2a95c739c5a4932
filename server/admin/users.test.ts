import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { UserFilter } from '#contract/staff/users.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { useClub } from '#server/testing/club.ts'
import { listUsers } from './users.ts'

const club = useClub()

/** Adds a member with this name, and perhaps a role. Later ones joined later. */
async function add(username: string, fullName: string | null, role = 'user') {
  const { who, db } = await club.newMember(username)
  await sql`update members set full_name = ${fullName}, role = ${role},
    created_at = clock_timestamp() + interval '1 day' where id = ${who.id}`.execute(db)
  return who.id
}

async function emailsOf(input: UserFilter & { cursor?: string; limit?: number } = {}) {
  const { items } = await listUsers(await club.as('sam'), input)
  return items.map(({ email }) => email.replace('@evenhand.example', ''))
}

/** Every member of the list, page by page. */
async function readAll(filter: UserFilter, limit: number, between?: (page: number) => Promise<void>) {
  const seen: string[] = []
  let cursor: string | undefined
  for (let page = 1; ; page += 1) {
    const { items, next } = await listUsers(await club.as('sam'), { ...filter, limit, cursor })
    seen.push(...items.map(({ id }) => id))
    if (next === null) return seen
    cursor = next
    await between?.(page)
  }
}

describe('the list of members', () => {
  test('has the newest first, each with role, membership and time, and counts them all', async () => {
    const id = await add('newest', 'Nora Newest', 'support')
    const { items, counts } = await listUsers(await club.as('sam'), {})
    expect(items[0]).toMatchObject({
      id,
      email: 'newest@evenhand.example',
      fullName: 'Nora Newest',
      role: 'support',
      membership: 'active',
    })
    const { rows } = await sql<{ count: number }>`select count(*) from members`.execute(club.system.db)
    expect(counts).toEqual({
      matching: { count: rows[0]?.count, is: 'exact' },
      total: { count: rows[0]?.count, is: 'exact' },
    })
  })

  test('says where each membership stands, as the member’s own page does', async () => {
    for (const [name, change] of [
      ['canceled', sql`ends_at = clock_timestamp() + interval '3 days'`],
      ['over', sql`ends_at = clock_timestamp()`],
      ['resting', sql`paused_from = clock_timestamp(), paused_until = clock_timestamp() + interval '9 days'`],
    ] as const) {
      const id = await add(name, null)
      await sql`update memberships set ${change} where member_id = ${id}`.execute(club.system.db)
    }
    const { items } = await listUsers(await club.as('sam'), { limit: 3 })
    expect(items.map(({ membership }) => membership)).toEqual(['paused', 'ended', 'cancelled'])
  })

  test('is recorded once an hour for each member of staff who opens it', async () => {
    for (const username of ['sam', 'sam', 'ada']) await listUsers(await club.as(username), {})
    const { rows } = await sql<{ username: string }>`
      select m.username from staff_actions a join members m on m.id = a.actor_id
      where a.action = 'users_listed' order by 1`.execute(club.system.db)
    expect(rows.map(({ username }) => username)).toEqual(['ada', 'sam'])
  })

  test('leaves out erased accounts', async () => {
    await eraseMember(club.system, await add('leaving', null))
    expect(await emailsOf({ search: 'erased' })).toEqual([])
  })
})

describe('a search', () => {
  beforeEach(async () => {
    await add('quinn', 'Óscar QUINTERO_100%')
    await add('zqx', 'Q')
    await add('mia', 'Maria Quintana')
  })

  test.each([
    ['in the email', 'zqx@even', ['zqx']],
    ['in the name, whatever its case', 'óscar quint', ['quinn']],
    ['of two letters', 'zq', ['zqx']],
    ['of one letter', 'ó', ['quinn']],
    ['with no three letters in a row', 'q@ev', []],
    ['that ends in a short word', 'x@', ['zqx']],
    ['of letters that are in it in another order', 'qz', []],
    ['with the signs of a pattern', '_100%', ['quinn']],
    ['with signs alone', '%%%', []],
    ['not across two fields', 'example quint', []],
    ['with control characters', 'quin\u0000tana', []],
  ])('finds members by a part %s', async (_, search, found) => {
    expect(await emailsOf({ search })).toEqual(found)
  })

  test('of a few letters or signs finds exactly what has them', async () => {
    const names = ['Ñandú_é', "O'Neil %", 'a b', 'Å\\', '日本', '😀x', 'a-bb-c']
    await sql`insert into members (id, email, email_verified, full_name)
      select gen_random_uuid(), 'letters-' || n || '@mail.example', true, name
      from unnest(${names}::text[]) with ordinality as given (name, n)`.execute(club.system.db)
    const { rows } = await sql<{ email: string; text: string }>`
      select email, member_text(email, full_name, role) as text from members`.execute(club.system.db)
    for (const search of "ñ,dú,_é,'n,%,l %,a b,\\,å\\,日本,本,😀,😀x,b@,-1,b-c,a-b-c".split(',')) {
      const { items, next } = await listUsers(await club.as('sam'), { search, limit: 100 })
      const found = rows.filter(({ text }) => text.includes(search)).map(({ email }) => email)
      expect(next).toBeNull()
      expect(items.map(({ email }) => email).toSorted(), search).toEqual(found.toSorted())
    }
  })

  test.each([
    ['the start of the username', 'mia-w'],
    ['the username', 'mia-writes'],
    ['the username with its sign, whatever its case', '@Mia-Writes'],
  ])('finds a member by %s', async (_, search) => {
    await sql`update members set username = 'mia-writes' where email = 'mia@evenhand.example'`.execute(
      club.system.db,
    )
    expect(await emailsOf({ search })).toEqual(['mia'])
    expect(await emailsOf({ search: `${search}x` })).toEqual([])
    expect(await emailsOf({ search: 'ia-writes' })).toEqual([])
  })

  test('finds members by role, and counts them beside all', async () => {
    const { items, counts } = await listUsers(await club.as('sam'), { search: 'suppo' })
    expect(items.every(({ role, email }) => role === 'support' || email.includes('suppo'))).toBe(true)
    expect(counts?.matching).toEqual({ count: items.length, is: 'exact' })
    expect(counts?.total.count).toBeGreaterThan(items.length)
  })

  test('that finds very many says that there are at least a thousand', async () => {
    await sql`insert into members (id, email, email_verified)
      select gen_random_uuid(), 'crowd-' || n || '@mail.example', true
      from generate_series(1, 1100) n`.execute(club.system.db)
    const { items, counts, next } = await listUsers(await club.as('sam'), { search: 'crowd', sort: 'email' })
    expect(counts?.matching).toEqual({ count: 1000, is: 'atLeast' })
    expect(items[0]?.email).toBe('crowd-1000@mail.example')
    expect(next).not.toBeNull()
    expect(new Set(await readAll({ search: 'crowd', sort: 'email' }, 100)).size).toBe(1100)
    await sql`update members set username = 'crowd-first' where email = 'zqx@evenhand.example'`.execute(
      club.system.db,
    )
    expect(new Set(await readAll({ search: 'crowd', sort: 'email' }, 100)).size).toBe(1101)
  })
})

describe('the pages of the list', () => {
  test.each([
    { sort: 'email', direction: 'asc' },
    { sort: 'email', direction: 'desc' },
    { sort: 'name', direction: 'asc' },
    { sort: 'name', direction: 'desc' },
    { sort: 'role', direction: 'asc' },
    { sort: 'role', direction: 'desc' },
    { sort: 'created', direction: 'asc' },
    { sort: 'created', direction: 'desc' },
  ] as const)('by $sort $direction have every member once, as one long page has', async (filter) => {
    for (const at of ['one', 'two', 'three']) await add(`same-${at}`, 'The Same Name')
    const whole = await readAll(filter, 100)
    expect(await readAll(filter, 7)).toEqual(whole)
    expect(new Set(whole).size).toBe(whole.length)
  })

  test.each(['email', 'name', 'role', 'created'] as const)(
    'by %s have no gaps and no doubles while members come and go',
    async (sort) => {
      const before = await readAll({ sort }, 100)
      const leaving = before.slice(-3)
      const seen = await readAll({ sort }, 5, async (page) => {
        await add(`comes-${sort}-${page}`, `${'azm'[page % 3]} Comes`)
        // The last pages are still to come.
        const id = leaving[page - 1]
        if (id) await eraseMember(club.system, id)
      })
      const stayed = before.filter((id) => !leaving.includes(id))
      expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed)
      expect(new Set(seen).size).toBe(seen.length)
    },
  )

  test('begin at the top with a cursor that was edited, or is of another sort', async () => {
    const top = await emailsOf({ limit: 3 })
    const { next } = await listUsers(await club.as('sam'), { sort: 'email', limit: 3 })
    for (const cursor of ['x', 'AAAA', next ?? '']) expect(await emailsOf({ cursor, limit: 3 })).toEqual(top)
  })
})
