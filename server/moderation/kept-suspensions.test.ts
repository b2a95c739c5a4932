import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { reinstateMember, suspendMember } from '#server/members/suspension.ts'
import { joinClub } from '#server/members/testing.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { notificationsTo } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { deleteOldSuspensions } from './kept-suspensions.ts'

const club = useClub()

const join = (email: string) => joinClub(club, email)
const suspend = ({ who }: MemberCtx, days: number | null) =>
  suspendMember(club.system, { memberId: who.id, reason: 'Three missed reviews.', days })
const leave = ({ who }: MemberCtx) => eraseMember(club.system, who.id)

/** Whole days until the end of the suspension; null without an end, undefined when there is none. */
async function suspendedFor({ who }: MemberCtx): Promise<number | null | undefined> {
  const { rows } = await sql<{ suspended: boolean; days: number | null }>`
    select suspended_at is not null as suspended,
      floor(extract(epoch from suspended_until - clock_timestamp()) / 86400)::int as days
    from members where id = ${who.id}`.execute(club.system.db)
  return rows[0]?.suspended ? rows[0].days : undefined
}

/** The moment at which the suspension is over. */
async function suspendedUntil({ who }: MemberCtx): Promise<string | null> {
  const { rows } = await sql<{ until: string | null }>`
    select to_char(suspended_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as until
    from members where id = ${who.id}`.execute(club.system.db)
  return rows[0]?.until ?? null
}

const kept = () => club.system.db.selectFrom('keptSuspensions').selectAll().execute()

describe('a suspended member who joins again', () => {
  test('after deleting the account stays suspended to the same day, and is notified', async () => {
    const first = await join('mira@mail.example')
    await suspend(first, 30)
    await leave(first)
    const again = await join('mira+again@mail.example')
    // 29 where midnight comes in between.
    expect(await suspendedFor(again)).toBeOneOf([29, 30])
    expect(await notificationsTo(again)).toContain('Your account is suspended')
    expect(await kept()).toEqual([])
    const until = await suspendedUntil(again)
    expect(until).toMatch(/ 00:00:00\.000000$/)
    await leave(again)
    expect(await suspendedUntil(await join('mira@mail.example'))).toBe(until)
  })

  test('stays suspended until our staff lifts it, if it had no end', async () => {
    const first = await join('mira@mail.example')
    await suspend(first, null)
    await leave(first)
    const again = await join('mira@mail.example')
    expect(await suspendedFor(again)).toBeNull()
    await reinstateMember(club.system, again.who.id)
    await leave(again)
    expect(await suspendedFor(await join('mira@mail.example'))).toBeUndefined()
  })

  test('beside the account that is suspended is suspended as long', async () => {
    const first = await join('mira@mail.example')
    await suspend(first, 14)
    const second = await join('mira+second@mail.example')
    expect(await suspendedFor(second)).toBeOneOf([13, 14])
    await reinstateMember(club.system, first.who.id)
    expect(await suspendedFor(await join('nora@mail.example'))).toBeUndefined()
  })
})

test('what stays is keyed hashes and the day, until then', async () => {
  const even = await join('nora@mail.example')
  await leave(even)
  expect(await kept()).toEqual([])
  const first = await join('mira@mail.example')
  await suspend(first, 30)
  await leave(first)
  const { rows } = await sql<{ days: number; names: boolean }>`
    select kept_until - (clock_timestamp() at time zone 'UTC')::date as days,
      k::text ~* ${`mira|${first.who.id}`} as names from kept_suspensions k`.execute(club.system.db)
  expect(rows).toEqual([{ days: 31, names: false }])
  await sql`update kept_suspensions set until = (clock_timestamp() at time zone 'UTC')::date + 1,
    kept_until = (clock_timestamp() at time zone 'UTC')::date + 1`.execute(club.system.db)
  await deleteOldSuspensions(club.system)
  expect(await kept()).toHaveLength(1)
  await sql`update kept_suspensions set until = until - 1, kept_until = kept_until - 1`.execute(
    club.system.db,
  )
  await deleteOldSuspensions(club.system)
  expect(await kept()).toEqual([])
})
