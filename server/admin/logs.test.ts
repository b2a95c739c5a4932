import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LogFilter } from '#contract/staff/logs.ts'
import { useClub } from '#server/testing/club.ts'
import { listLogActions, listLogs } from './logs.ts'

const club = useClub()

type Entry = { action: string; metadata?: object; username?: string | null }

/** Adds entries, the first one the oldest, all in the last hours. */
async function add(...entries: Entry[]) {
  for (const { action, metadata = {}, username = 'anna' } of entries) {
    const memberId = username === null ? null : await club.idOf(username)
    await sql`insert into activity_logs (id, member_id, action, metadata)
      values (gen_random_uuid(), ${memberId}, ${action}, ${JSON.stringify(metadata)}::jsonb)`.execute(
      club.system.db,
    )
  }
}

/** Adds many entries that no search of these tests finds, newer than all before. */
function bury(count: number) {
  return sql`insert into activity_logs (id, action, metadata)
    select gen_random_uuid(), 'page_opened', jsonb_build_object('rows', n)
    from generate_series(1, ${sql.lit(count)}) n`.execute(club.system.db)
}

const list = async (input: LogFilter & { cursor?: string; limit?: number } = {}) =>
  listLogs(await club.as('sam'), input)

const actionsOf = async (input: LogFilter) => (await list(input)).items.map(({ action }) => action)

/** Everything that a filter leaves, page by page, with the number of pages. */
async function readAll(filter: LogFilter, limit: number, between?: () => Promise<unknown>) {
  const seen: string[] = []
  let cursor: string | undefined
  for (let pages = 1; ; pages += 1) {
    const { items, next } = await list({ ...filter, limit, cursor })
    seen.push(...items.map(({ id }) => id))
    if (next === null) return { seen, pages }
    cursor = next
    await between?.()
  }
}

beforeEach(async () => {
  await club.system.db.deleteFrom('activityLogs').execute()
})

describe('the activity log', () => {
  test('has the newest first, with the member’s address, or none', async () => {
    await add(
      { action: 'user_logged_in', metadata: { method: 'password' }, username: 'anna' },
      { action: 'sign_in_failed', username: null },
    )
    const { items, counts, next } = await list()
    expect(items).toMatchObject([
      { action: 'sign_in_failed', member: null, metadata: {} },
      {
        action: 'user_logged_in',
        member: { id: await club.idOf('anna'), email: 'anna@evenhand.example' },
        metadata: { method: 'password' },
      },
    ])
    expect(Object.keys(items[0] ?? {})).not.toContain('userAgent')
    expect(counts).toEqual({ matching: { count: 2, is: 'exact' }, total: { count: 2, is: 'exact' } })
    expect(next).toBeNull()
  })

  test('lists each action once', async () => {
    await add({ action: 'b_done' }, { action: 'a_done' }, { action: 'b_done' }, { action: 'c_done' })
    expect(await listLogActions(await club.as('sam'))).toEqual(['a_done', 'b_done', 'c_done'])
  })

  test('is narrowed to an action, and counts it', async () => {
    await add({ action: 'a_done' }, { action: 'b_done' }, { action: 'a_done' })
    const { items, counts } = await list({ action: 'a_done' })
    expect(items).toHaveLength(2)
    expect(counts).toEqual({ matching: { count: 2, is: 'exact' }, total: { count: 3, is: 'exact' } })
  })

  test('has no gaps and no doubles while entries come', async () => {
    await add(...Array.from({ length: 25 }, (_, at) => ({ action: 'counted', metadata: { rows: at } })))
    const before = (await readAll({}, 100)).seen
    const { seen } = await readAll({}, 4, () => add({ action: 'later' }))
    expect(seen).toEqual(before)
  })
})

describe('a search', () => {
  test.each([
    ['the email', 'ben@even', ['seen_by_ben']],
    ['the action', 'by_anna', ['seen_by_anna']],
    ['the action as it is shown', 'seen by an', ['seen_by_anna']],
    ['the metadata', '"provider": "GOOGLE', ['seen_by_anna']],
    ['one letter', 'q', ['quiet']],
    ['the signs of a pattern', '100%', ['quiet']],
  ])('finds entries by a part of %s', async (_, search, found) => {
    await add(
      { action: 'seen_by_anna', metadata: { provider: 'Google' } },
      { action: 'seen_by_ben', username: 'ben' },
      { action: 'quiet', metadata: { reason: '100%' } },
    )
    expect(await actionsOf({ search })).toEqual(found)
  })

  test('finds what lies behind thousands of other entries, by text and by address, in order', async () => {
    await add(
      { action: 'rare_first', metadata: { reason: 'needle' } },
      { action: 'rare_second', username: 'ben' },
      { action: 'rare_third', metadata: { reason: 'a needle again' }, username: 'ben' },
    )
    await bury(6000)
    expect(await actionsOf({ search: 'needle' })).toEqual(['rare_third', 'rare_first'])
    expect(await actionsOf({ search: 'ben@' })).toEqual(['rare_third', 'rare_second'])
    expect(await actionsOf({ search: 'needle', action: 'rare_first' })).toEqual(['rare_first'])
    const { counts, searchedTo } = await list({ search: 'needle' })
    expect(counts?.matching).toEqual({ count: 2, is: 'exact' })
    expect(searchedTo).toBeNull()
  })

  test('of two letters goes on page by page, and says how far it has come', async () => {
    await add({ action: 'old', metadata: { reason: 'zq' } })
    await bury(6000)
    const first = await list({ search: 'zq' })
    expect(first).toMatchObject({ items: [], counts: { matching: { count: 0, is: 'atLeast' } } })
    expect(first.searchedTo).not.toBeNull()
    const second = await list({ search: 'zq', cursor: first.next ?? '' })
    const third = await list({ search: 'zq', cursor: second.next ?? '' })
    expect(third.items.map(({ action }) => action)).toEqual(['old'])
    expect(third.next).toBeNull()
  })

  test('that finds most entries has each once, in the order of the log', async () => {
    await bury(6000)
    const { seen } = await readAll({ search: 'page_opened' }, 1000)
    expect(seen).toEqual((await readAll({}, 1000)).seen)
    const { counts } = await list({ search: 'page_opened' })
    expect(counts?.matching).toEqual({ count: 3000, is: 'atLeast' })
  })
})
