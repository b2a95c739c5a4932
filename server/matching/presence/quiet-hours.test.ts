import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { updatePreferences } from '#server/members/profile.ts'
import { useClub } from '#server/testing/club.ts'
import { matchRequests } from '../pass.ts'
import { getAskingHours, setAskingHours } from './quiet-hours.ts'
import { askForReview, addProductOf, consent, offeredTo, present } from '../testing.ts'

const club = useClub()
const everyDay = [1, 2, 3, 4, 5, 6, 7]

async function pair() {
  const seller = await club.newMember('seller')
  const reviewer = await club.newMember('reviewer')
  await consent(reviewer)
  await askForReview(seller, await addProductOf(seller, '820001'))
  return { seller, reviewer }
}

/** The minute of the day in UTC that is so many hours from now. */
async function inHours(hours: number) {
  const { rows } = await sql<{ minute: number }>`
    select (extract(hour from at) * 60 + extract(minute from at))::int as minute
    from (select clock_timestamp() at time zone 'UTC' + make_interval(hours => ${hours}) as at) t`.execute(
    club.system.db,
  )
  return rows[0]?.minute ?? 0
}

const setHours = (member: MemberCtx, from: number, until: number, days = everyDay) =>
  setAskingHours(member, { hours: { days, from, until }, timeZone: 'UTC' })

test('a member in quiet hours is not drawn, however present, and is again as soon as they end', async () => {
  const { reviewer } = await pair()
  await setHours(reviewer, await inHours(2), await inHours(4))
  await present(reviewer)
  await matchRequests(club.system)
  expect(await offeredTo(reviewer)).toBeUndefined()
  expect((await getAskingHours(reviewer)).quietUntil).not.toBeNull()

  await sql`update reviewer_states set quiet_until = clock_timestamp()
    where member_id = ${reviewer.who.id}`.execute(club.system.db)
  await sql`update asking_hours set from_minute = ${await inHours(-1)}`.execute(club.system.db)
  await matchRequests(club.system)
  expect(await offeredTo(reviewer)).toBeDefined()
})

test('quiet hours that begin take a present member out of the draw; removing them undoes that', async () => {
  const { reviewer } = await pair()
  await present(reviewer)
  await setHours(reviewer, await inHours(-2), await inHours(2))
  expect(await getAskingHours(reviewer)).toMatchObject({ quietUntil: null, timeZone: 'UTC' })
  await sql`update reviewer_states set quiet_from = clock_timestamp()
    where member_id = ${reviewer.who.id}`.execute(club.system.db)
  await matchRequests(club.system)
  expect(await offeredTo(reviewer)).toBeUndefined()
  await setAskingHours(reviewer, { hours: null, timeZone: 'UTC' })
  await matchRequests(club.system)
  expect(await offeredTo(reviewer)).toBeDefined()
  expect(await getAskingHours(reviewer)).toEqual({
    hours: null,
    timeZone: null,
    quietUntil: null,
    quietFrom: null,
  })
})

type Asking = { days?: number[]; from: number; until: number; zone: string }

/** The gaps between the asking hours around a moment, as the database works them out. */
async function gapAt(moment: string, { days = everyDay, from, until, zone }: Asking) {
  const { rows } = await sql<{ quietFrom: string; quietUntil: string }>`
    select lower(gap) as quiet_from, upper(gap) as quiet_until
    from quiet_period(${moment}::timestamptz, ${days}::smallint[], ${from}::int, ${until}::int, ${zone}) gap
    where gap is not null`.execute(club.system.db)
  return rows[0] ?? null
}

test('hours over midnight, on several days and over a clock change follow the member’s zone', async () => {
  const berlin = 'Europe/Berlin'
  // 20:00 to 02:00 on Fridays: the quiet period begins on Saturday at 02:00 and ends on the next Friday.
  const friday = { days: [5], from: 20 * 60, until: 2 * 60, zone: berlin }
  expect(await gapAt('2026-11-21T00:30:00Z', friday)).toEqual({
    quietFrom: '2026-11-21T01:00:00Z',
    quietUntil: '2026-11-27T19:00:00Z',
  })
  // 9:00 to 17:00, in the night in which the clocks go forward: one hour less of quiet, in autumn one more.
  const office = { from: 9 * 60, until: 17 * 60, zone: berlin }
  expect(await gapAt('2026-03-28T22:00:00Z', office)).toEqual({
    quietFrom: '2026-03-28T16:00:00Z',
    quietUntil: '2026-03-29T07:00:00Z',
  })
  expect(await gapAt('2026-10-24T22:00:00Z', office)).toEqual({
    quietFrom: '2026-10-24T15:00:00Z',
    quietUntil: '2026-10-25T08:00:00Z',
  })
  // 2:30 to 3:00 does not exist on that day, so it is quiet until the next one.
  const night = { from: 150, until: 180, zone: berlin }
  expect(await gapAt('2026-03-29T00:00:00Z', night)).toEqual({
    quietFrom: '2026-03-28T02:00:00Z',
    quietUntil: '2026-03-30T00:30:00Z',
  })
  // Whole days in a row are one, and all seven are never quiet.
  expect(
    await gapAt('2026-11-25T12:00:00Z', { days: [1, 2, 3, 4, 5], from: 0, until: 0, zone: 'UTC' }),
  ).toEqual({
    quietFrom: '2026-11-28T00:00:00Z',
    quietUntil: '2026-11-30T00:00:00Z',
  })
  expect(await gapAt('2026-11-25T12:00:00Z', { from: 0, until: 0, zone: 'UTC' })).toBeNull()
})

test('the zone of the settings comes first, and a zone that the database does not know is UTC', async () => {
  const { reviewer } = await pair()
  await setHours(reviewer, 9 * 60, 17 * 60)
  await updatePreferences(reviewer, { locale: 'en-US', timeZone: 'Asia/Tokyo' })
  expect(await getAskingHours(reviewer)).toMatchObject({ timeZone: 'Asia/Tokyo' })
  const { rows } = await sql<{ hours: number }>`
    select extract(hour from quiet_until at time zone 'Asia/Tokyo')::int as hours from reviewer_states
    where member_id = ${reviewer.who.id}`.execute(club.system.db)
  expect(rows).toEqual([{ hours: 9 }])
  await sql`update members set time_zone = 'Mars/Olympus' where id = ${reviewer.who.id}`.execute(
    club.system.db,
  )
  expect(await getAskingHours(reviewer)).toMatchObject({ timeZone: 'UTC' })
})
