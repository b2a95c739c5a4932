import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { findBreaches } from '#db/invariants.ts'
import { takenBackHours } from '#contract/matching-rules.ts'
import { checkDays, checkDraw, checkPasses, dayFormat, daysFormat } from '#contract/draw-receipt.ts'
import { getDay, listRecords } from '#server/matching/audit/public-list.ts'
import { getReceipt } from '#server/matching/audit/receipts.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { drawnDayAt, drawnDayTimes } from './drawn-day.ts'
import { seedIfEmpty } from './seed.ts'

const club = useFreshClub()

beforeAll(async () => {
  await sql`truncate members, marketplaces, lottery_days cascade`.execute(club.database.db)
  await seedIfEmpty(club.connection, { withPictures: false, config: club.config })
})

test('is over for so long, at every hour, that its members can ask again', () => {
  const midnight = Date.parse('2026-11-29T00:00:00Z')
  for (let now = midnight; now < midnight + 864e5; now += 60_000) {
    const withdrawn = Date.parse(drawnDayAt(now)) + drawnDayTimes.withdrawn
    expect(withdrawn + takenBackHours * 3_600_000).toBeLessThan(now)
  }
})

/** The requests of that day that anna made, or was asked about. */
async function drawsOf(username: string) {
  const id = await club.idOf(username)
  const { rows } = await sql<{ id: string; mine: boolean; day: string }>`
    select q.id, q.seller_id = ${id} as mine, q.lottery_day::text as day
    from review_queue q join offers o on o.queue_id = q.id and o.pass_id is not null
    where ${id} in (q.seller_id, o.reviewer_id)`.execute(club.system.db)
  return rows
}

test('anna can check a draw of each side from receipt to published secret, by page and script', async () => {
  const anna = await club.as('anna')
  const records = await listRecords(club.system)
  const days = { format: daysFormat, club: club.config.origin, records } as const
  const draws = await drawsOf('anna')
  expect(draws.filter(({ mine }) => mine)).toHaveLength(1)
  expect(draws).toHaveLength(2)
  const day = drawnDayAt(Date.now())
  const file = {
    format: dayFormat,
    club: club.config.origin,
    day,
    ...(await getDay(club.system, day)),
  } as const
  // A file of its own, in plain JavaScript.
  const { verify } = (await import(join(import.meta.dirname, '../../scripts/verify-draw.mjs'))) as {
    verify(given: object): { ok: boolean | null; text: string }[]
  }
  for (const { id, day: drawn } of draws) {
    expect(drawn).toBe(day)
    const receipt = await getReceipt(anna, id)
    const [draw] = receipt.draws
    const checks = Object.entries(checkDraw(receipt, 0)?.checks ?? {})
    expect(checks.length).toBeGreaterThan(5)
    expect(checks.filter(([, ok]) => ok !== true)).toEqual([])
    const steps = checkDays(receipt, days)
    if (draw) steps.push(checkPasses(draw.pass, file, days))
    expect(steps.length).toBeGreaterThan(3)
    expect(steps.filter(({ ok }) => ok !== true)).toEqual([])
    expect(verify({ receipt, days, day: file }).filter(({ ok }) => ok !== true)).toEqual([])
  }
})

test('the activity of its members is of that day too', async () => {
  const { rows } = await sql<{ items: number; days: string[] }>`
    select count(*)::int as items, array_agg(distinct (a.created_at at time zone 'UTC')::date::text) as days
    from activity_items a join review_queue q on q.seller_id = a.member_id
      and position(q.id::text in a.dedupe_key) > 0
    where exists (select from offers o where o.queue_id = q.id and o.pass_id is not null)`.execute(
    club.system.db,
  )
  expect(rows[0]?.items).toBeGreaterThan(0)
  expect(rows[0]?.days).toEqual([drawnDayAt(Date.now())])
})

test('each hash is published before its day, and today’s and tomorrow’s are there', async () => {
  const records = await listRecords(club.system)
  const committed = records.filter(({ kind }) => kind === 'committed')
  const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10)
  expect(committed.map(({ day }) => day)).toEqual(
    expect.arrayContaining([dayAt(Date.now()), dayAt(Date.now() + 86_400_000)]),
  )
  // The list began at noon of its first day.
  for (const { day, at } of committed.slice(1)) expect(Date.parse(at)).toBeLessThan(Date.parse(day))
  expect(records.map(({ at }) => at)).toEqual(records.map(({ at }) => at).toSorted())
})

test('nothing of the moved clock stays, and no invariant breaks', async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_attrdef
    where pg_get_expr(adbin, adrelid) like '%demo_clock%'`.execute(club.system.db)
  expect(rows).toEqual([{ count: 0 }])
  expect(await findBreaches(club.database.db)).toEqual([])
})
