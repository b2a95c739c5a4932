import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { reinstateMember, suspendMember } from '#server/members/suspension.ts'
import { joinClub } from '#server/members/testing.ts'
import { eraseAgain, eraseMember } from '#server/privacy/erasure.ts'
import { getErasureFacts } from '#server/privacy/reads.ts'
import { fresh } from '#server/privacy/testing.ts'
import { rememberIdentities } from '#server/reviews/identities.ts'
import { accepted, notificationsTo, purchased, submitted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { lapseReview, verifyReview } from '#server/reviews/outcomes.ts'
import { countStrikes } from '#server/reviews/strikes.ts'
import { appealDecision, decideAppeal } from './appeals.ts'
import { decideCase } from './decisions.ts'
import { clearKept, deleteOldRecords } from './kept-records.ts'
import { countSanctions } from './sanctions.ts'
import { decided, decisionsOf, explanation, findings, reported, returnByStaff } from './testing.ts'

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

async function usernameOf({ who, db }: MemberCtx) {
  const { username } = await db
    .selectFrom('members')
    .select('username')
    .where('id', '=', who.id)
    .executeTakeFirstOrThrow()
  return username ?? ''
}

const move = ({ who, db }: MemberCtx, email: string) =>
  db.updateTable('members').set({ email }).where('id', '=', who.id).execute()

/** The member misses the review of a product of each of these sellers. */
async function miss(me: MemberCtx, ...sellers: string[]) {
  for (const seller of sellers) {
    expect(await lapseReview(club.system, await accepted(club, seller, await usernameOf(me), 200))).toBe(true)
  }
}

/** Our staff decides against a review that the member wrote for this seller. */
async function sanction(me: MemberCtx, seller: string, serious = false) {
  const review = await submitted(club, seller, await usernameOf(me))
  const caseId = await reported(review)
  const change = { outcome: 'removed', rule: 'abusive', sanction: true, serious } as const
  await decideCase(await club.as('sam'), decided(caseId, change))
  return caseId
}

/** How many strikes and sanctions of the member count now. */
const counting = async ({ who }: MemberCtx) => [
  await countStrikes(club.system, who.id),
  await countSanctions(club.system, who.id),
]

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

  test('is suspended after leaving while a bank disputes a payment, not for an inquiry', async () => {
    const dispute = ({ who, db }: MemberCtx, status: string) =>
      sql`insert into disputes (id, member_id, stripe_dispute_id, payment_id, cents, reason, status,
          opened_at)
        values (gen_random_uuid(), ${who.id}, 'du_' || ${who.id}, 'pi_1', 800, 'fraudulent', ${status},
          clock_timestamp())`.execute(db)
    const first = await join('mira@mail.example')
    await dispute(first, 'needs_response')
    expect(await getErasureFacts(first)).toMatchObject({ paymentDisputed: true, suspended: false })
    await leave(first)
    expect(await suspendedFor(await join('mira@mail.example'))).toBeNull()
    const asked = await join('noor@mail.example')
    await dispute(asked, 'warning_needs_response')
    await leave(asked)
    expect(await suspendedFor(await join('noor@mail.example'))).toBeUndefined()
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

test('what stays of a suspension is keyed hashes and the day, until then', async () => {
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
  await deleteOldRecords(club.system)
  expect(await kept()).toHaveLength(1)
  await sql`update kept_suspensions set until = until - 1, kept_until = kept_until - 1`.execute(
    club.system.db,
  )
  await deleteOldRecords(club.system)
  expect(await kept()).toEqual([])
})

describe('strikes and sanctions of a member who joins again', () => {
  test('count with those that follow, and the third strike suspends', async () => {
    const first = await join('mira@mail.example')
    await miss(first, 'anna', 'ben')
    await leave(first)
    const again = await join('mira+again@mail.example')
    expect(await counting(again)).toEqual([2, 0])
    expect(await suspendedFor(again)).toBeUndefined()
    expect(await notificationsTo(again)).toContain('What counts from before')
    await miss(again, 'clara')
    expect(await suspendedFor(again)).toBeNull()
    const other = await join('nora@mail.example')
    expect(await counting(other)).toEqual([0, 0])
    expect(await notificationsTo(other)).not.toContain('What counts from before')
  })

  test('stay the same number, however often the member leaves', async () => {
    const first = await join('mira@mail.example')
    await miss(first, 'anna')
    await sanction(first, 'ben')
    const before = await counting(first)
    // The removed review counts as missed, too.
    expect(before).toEqual([2, 1])
    expect(await getErasureFacts(first)).toMatchObject({ strikes: 2, sanctions: 1 })
    await leave(first)
    for (const tag of ['one', 'two', 'three']) {
      const again = await join(`mira+${tag}@mail.example`)
      expect(await counting(again)).toEqual(before)
      await leave(again)
    }
  })

  test('decide which sanction is next', async () => {
    const first = await join('mira@mail.example')
    await sanction(first, 'anna')
    await leave(first)
    const again = await join('mira@mail.example')
    await sanction(again, 'ben')
    const { kind } = await again.db
      .selectFrom('sanctions')
      .select('kind')
      .where('memberId', '=', again.who.id)
      .executeTakeFirstOrThrow()
    expect(kind).toBe('warning')
  })

  test('count in another account that is there already', async () => {
    const first = await join('mira@mail.example')
    const second = await join('mira+second@mail.example')
    await miss(first, 'anna', 'ben', 'clara')
    expect(await counting(second)).toEqual([0, 0])
    await leave(first)
    expect(await counting(second)).toEqual([3, 0])
    expect(await notificationsTo(second)).toContain('What counts from before')
    await miss(second, 'dario')
    expect(await suspendedFor(second)).toBeNull()
  })

  test('count for each address and sign-in account that the deleted one had', async () => {
    const first = await join('mira@mail.example')
    await move(first, 'mira@other.example')
    await miss(first, 'anna')
    await leave(first)
    const second = await join('mira@mail.example')
    await miss(second, 'ben')
    await leave(second)
    expect(await counting(await join('mira@other.example'))).toEqual([2, 0])
  })

  test('lead to a suspension that is kept under another of their addresses', async () => {
    const first = await join('mira@mail.example')
    await move(first, 'mira@other.example')
    await miss(first, 'anna', 'ben')
    const second = await join('mira+second@mail.example')
    await leave(first)
    await miss(second, 'clara')
    expect(await suspendedFor(second)).toBeNull()
    await leave(second)
    expect(await suspendedFor(await join('mira@other.example'))).toBeNull()
  })

  test('don’t count once an appeal took them back', async () => {
    const first = await join('mira@mail.example')
    const caseId = await sanction(first, 'anna')
    const [decision] = await decisionsOf(first, caseId)
    await appealDecision(first, { id: decision?.id ?? '', explanation })
    const { id } = await first.db.selectFrom('appeals').select('id').executeTakeFirstOrThrow()
    await decideAppeal(await club.as('ada'), { id, overturn: true, findings })
    await leave(first)
    expect(await counting(await join('mira@mail.example'))).toEqual([0, 0])
  })
})

describe('an admin clears what counts from before', () => {
  const clear = async (as: string, of: MemberCtx) =>
    clearKept(await fresh(club, await club.as(as)), { memberId: of.who.id, reason: 'Another person.' })

  test('for a new person at an old address; they are notified, and it stays on record', async () => {
    const first = await join('mira-two@mail.example')
    await move(first, 'mira@mail.example')
    await rememberIdentities(club.system, first.who.id)
    await miss(first, 'anna')
    await sanction(first, 'clara')
    await leave(first)
    const other = await join('noor@mail.example')
    await miss(other, 'dario')
    await leave(other)
    const again = await join('mira@mail.example')
    expect(await counting(again)).toEqual([2, 1])
    await clear('ada', again)
    expect(await counting(again)).toEqual([0, 0])
    expect(await notificationsTo(again)).toContain('Nothing counts from before')
    expect((await getErasureFacts(again)).strikes).toBe(0)
    const { rows } = await sql`select action, member_id, before, after from staff_actions
      where action = 'kept_record_cleared'`.execute(club.system.db)
    expect(rows).toEqual([
      {
        action: 'kept_record_cleared',
        memberId: again.who.id,
        before: { strikes: 2, sanctions: 1 },
        after: { strikes: 0, sanctions: 0 },
      },
    ])
    // The former member had another address, under which they go on.
    const former = await join('mira-two@mail.example')
    await miss(former, 'ben')
    await leave(former)
    expect(await counting(again)).toEqual([0, 0])
    // What others left stays.
    expect(await counting(await join('noor@mail.example'))).toEqual([1, 0])
  })

  test('only where something does, of another member, after confirming who they are', async () => {
    const first = await join('mira@mail.example')
    await expect(clear('ada', first)).rejects.toMatchObject({ code: 'NOTHING_KEPT' })
    const ada = await club.as('ada')
    await expect(clear('ada', ada)).rejects.toMatchObject({ code: 'OWN_MATTER' })
    await expect(clearKept(ada, { memberId: first.who.id, reason: 'No.' })).rejects.toMatchObject({
      code: 'NOT_FRESH',
    })
  })
})

describe('leaving with a review that is not finished counts as missing it', () => {
  const states = {
    pending: (me: string) => accepted(club, 'anna', me),
    purchased: (me: string) => purchased(club, 'anna', me),
    returned: async (me: string) => {
      const review = await submitted(club, 'anna', me)
      await returnByStaff(club, review)
    },
    reported: async (me: string) => reported(await submitted(club, 'anna', me)),
    'returned after it was final': async (me: string) => {
      const review = await submitted(club, 'anna', me)
      await verifyReview(club.system, review, 'seller')
      await returnByStaff(club, review)
    },
  }
  test.each(Object.entries(states))('that is %s', async (_, begin) => {
    const first = await join('mira@mail.example')
    await begin(await usernameOf(first))
    await leave(first)
    expect(await counting(await join('mira@mail.example'))).toEqual([1, 0])
  })

  test('but not with one that its seller checks, is final and reported, or whose seller left', async () => {
    const first = await join('mira@mail.example')
    const me = await usernameOf(first)
    await submitted(club, 'anna', me)
    const final = await submitted(club, 'ben', me)
    await verifyReview(club.system, final, 'seller')
    await reported(final)
    const ended = await accepted(club, 'clara', me)
    await leave(ended.seller)
    await leave(first)
    expect(await club.system.db.selectFrom('keptRecords').selectAll().execute()).toEqual([])
  })

  test('but not when a backup brought the account back, and the review may be finished', async () => {
    const first = await join('mira@mail.example')
    await accepted(club, 'anna', await usernameOf(first))
    expect((await eraseAgain(club.system, [first.who.id])).erased).toBe(1)
    expect(await counting(await join('mira@mail.example'))).toEqual([0, 0])
  })

  test('and not again with one that was missed', async () => {
    const first = await join('mira@mail.example')
    await miss(first, 'anna')
    await accepted(club, 'ben', await usernameOf(first))
    await leave(first)
    expect(await counting(await join('mira@mail.example'))).toEqual([2, 0])
  })

  test('and suspends with the third strike, also of several accounts', async () => {
    const first = await join('mira@mail.example')
    await miss(first, 'anna')
    await leave(first)
    const second = await join('mira@mail.example')
    await accepted(club, 'ben', await usernameOf(second))
    await leave(second)
    const third = await join('mira@mail.example')
    expect(await suspendedFor(third)).toBeUndefined()
    await accepted(club, 'clara', await usernameOf(third))
    await leave(third)
    expect(await suspendedFor(await join('mira@mail.example'))).toBeNull()
  })

  test('and three strikes whose suspension our staff lifted suspend no more', async () => {
    const first = await join('mira@mail.example')
    await miss(first, 'anna', 'ben', 'clara')
    await reinstateMember(club.system, first.who.id)
    await leave(first)
    const again = await join('mira@mail.example')
    expect(await counting(again)).toEqual([3, 0])
    expect(await suspendedFor(again)).toBeUndefined()
  })
})

test('strikes and sanctions stay as days with keyed hashes, no longer than they count', async () => {
  const first = await join('mira@mail.example')
  await miss(first, 'anna', 'ben')
  await sanction(first, 'clara')
  const { db } = club.system
  await sql`update strikes set created_at = created_at - interval '89 days'
    where review_id in (select id from reviews where seller_id = ${await club.idOf('anna')})`.execute(db)
  await sql`update strikes set created_at = created_at - interval '90 days'
    where review_id in (select id from reviews where seller_id = ${await club.idOf('ben')})`.execute(db)
  await sql`update sanctions set created_at = created_at - interval '100 days'`.execute(db)
  await leave(first)
  const left = async () => {
    const { rows } = await sql<{ kind: string; ago: number; left: number; names: boolean }>`
      select kind, (clock_timestamp() at time zone 'UTC')::date - at as ago,
        kept_until - (clock_timestamp() at time zone 'UTC')::date as left,
        k::text ~* ${`mira|${first.who.id}`} as names
      from kept_records k order by kept_until, kind`.execute(db)
    return rows
  }
  expect(await left()).toEqual([
    { kind: 'strike', ago: 89, left: 1, names: false },
    { kind: 'strike', ago: 0, left: 90, names: false },
    { kind: 'reminder', ago: 100, left: 265, names: false },
  ])
  const again = await join('mira@mail.example')
  expect(await counting(again)).toEqual([2, 1])
  await sql`update kept_records set at = at - 1, kept_until = kept_until - 1`.execute(db)
  expect(await counting(again)).toEqual([1, 1])
  await deleteOldRecords(club.system)
  expect((await left()).map(({ kind }) => kind)).toEqual(['strike', 'reminder'])
})
