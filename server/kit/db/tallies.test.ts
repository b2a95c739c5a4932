import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { countRows, countTable, mostCounted } from './tallies.ts'

const club = useClub()

test('a few rows are counted', async () => {
  expect(await countTable(club.system, 'members', sql`username = 'anna'`)).toEqual({ count: 1, is: 'exact' })
  const from = sql`generate_series(1, ${mostCounted}::int) n`
  expect(await countRows(club.system, from)).toEqual({ count: mostCounted, is: 'exact' })
  expect(await countRows(club.system, from, sql`n > 9990`)).toEqual({ count: 10, is: 'exact' })
})

test('many rows are counted to a limit, and a large table by the database’s estimate', async () => {
  const from = sql`generate_series(1, ${mostCounted + 5}::int) n`
  expect(await countRows(club.system, from)).toEqual({ count: mostCounted, is: 'atLeast' })
  await undone(club.system, async (ctx) => {
    await sql`insert into support_messages (id, name, email, subject, message, category)
      select gen_random_uuid(), 'Anna', 'anna@evenhand.example', 'Hello', 'A question.', 'other'
      from generate_series(1, ${mostCounted + 5}::int)`.execute(ctx.db)
    const known = await countTable(ctx, 'support_messages')
    expect(known.is === 'atLeast' ? known.count : 0).toBe(mostCounted)
    await sql`analyze support_messages`.execute(ctx.db)
    const estimate = await countTable(ctx, 'support_messages')
    expect(estimate.is).toBe('about')
    expect(estimate.count).toBeGreaterThan(mostCounted)
  })
})
