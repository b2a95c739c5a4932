// Nudges. Time is moved by editing rows.
import fc from 'fast-check'
import { sql } from 'kysely'
import { render, toPlainText } from 'react-email'
import { afterEach, describe, expect, test } from 'vitest'
import { capRelaxation, drawSpare, givingCap } from '#contract/matching-rules.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { setNoticePreference } from '#server/notifications/preferences.ts'
import { listNotices } from '#server/notifications/reads.ts'
import { close, freshAdmin, reopen } from '#server/products/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { lotteryValue, lotteryWeek, memberNumber, slateShare } from '#contract/draw.ts'
import { matchingMails } from '../mails.ts'
import { matchRequests } from '../pass.ts'
import { addProductOf, askForReview, consent, offeredTo, present } from '../testing.ts'
import { refreshTiers } from '../tiers.ts'
import { nudgeMembers } from './nudges.ts'

const club = useClub()
const rotationOfDemo = club.config.rotation
afterEach(() => void (club.config.rotation = rotationOfDemo))

/** Keeps the seeded members out of it. */
async function onlyNewMembers(...members: MemberCtx[]) {
  await sql`update reviewer_states set last_seen_at = null, tier = case when tier < 8 then 2 else tier end
    where member_id <> all(${members.map(({ who }) => who.id)}::uuid[])`.execute(club.system.db)
}

async function newcomer(name: string) {
  const member = await club.newMember(name)
  await consent(member)
  return member
}

/** A request that was made so many minutes ago. */
async function waiting(seller: MemberCtx, minutes: number) {
  const { id } = await askForReview(seller, await addProductOf(seller, newId()))
  await sql`update review_queue set created_at = created_at - make_interval(mins => ${minutes}),
    prio_at = prio_at - make_interval(mins => ${minutes}) where id = ${id}`.execute(club.system.db)
  return id
}

const nudged = async () => (await nudgeMembers(club.system)).map(({ memberId }) => memberId)

const noticesOf = async (member: MemberCtx) =>
  (await listNotices(member, {})).items.filter(({ title }) => title === 'A request is waiting')

describe('a nudge', () => {
  test('says nothing about the request, leads to the dashboard, and is settled by a visit', async () => {
    const [seller, member] = [await newcomer('asks-first'), await newcomer('away')]
    await waiting(seller, 29)
    await onlyNewMembers(seller, member)
    expect(await nudged()).toEqual([])
    await sql`update review_queue set created_at = created_at - interval '1 minute'`.execute(club.system.db)
    expect(await nudged()).toEqual([member.who.id])
    expect(await noticesOf(member)).toMatchObject([{ unread: true, action: { href: '/dashboard' } }])

    const mail = await club.system.db
      .selectFrom('mails')
      .select('props')
      .where('memberId', '=', member.who.id)
      .where('template', '=', 'nudge')
      .executeTakeFirstOrThrow()
    const site = { origin: 'https://club.example', demo: false }
    // The template accepts the stored props.
    const html = await render(matchingMails.nudge?.(mail.props as MailProps, site).body)
    const { rows: kept } = await sql<{ text: string }>`
      select n::text as text from notices n where member_id = ${member.who.id}
      union all select m::text from mails m where member_id = ${member.who.id}
      union all select e::text from events e where ${member.who.id} = any(recipients)`.execute(club.system.db)
    const texts = [toPlainText(html), html, ...kept.map(({ text }) => text)].join('\n')
    const { rows: about } = await sql<{ secret: string }>`
      select unnest(array[q.id::text, q.product_id::text, q.seller_id::text,
        p.title, p.coupon_link, m.username]) as secret
      from review_queue q join products p on p.id = q.product_id join members m on m.id = q.seller_id
      where q.seller_id = ${seller.who.id}`.execute(club.system.db)
    expect(about).toHaveLength(6)
    for (const { secret } of about) expect(texts).not.toContain(secret)

    await present(member)
    expect(await noticesOf(member)).toMatchObject([{ unread: false, settled: true }])
    await matchRequests(club.system)
    expect(await offeredTo(member)).toBeDefined()
  })

  test('reaches no one who is here, in quiet hours, on stand-by, resting, or switched it off', async () => {
    const seller = await newcomer('asks-first')
    await waiting(seller, 73 * 60)
    await onlyNewMembers(seller)
    const [here, quiet, standby, resting, off] = [
      await newcomer('here'),
      await newcomer('quiet'),
      await newcomer('standby'),
      await newcomer('resting'),
      await newcomer('off'),
    ]
    const state = (member: MemberCtx, columns: string) =>
      sql`update reviewer_states set ${sql.raw(columns)} where member_id = ${member.who.id}`.execute(
        club.system.db,
      )
    await present(here)
    // The tiers say that they are absent, as until the next sweep.
    await state(
      quiet,
      `quiet_from = clock_timestamp() - interval '1 hour', ` +
        `quiet_until = clock_timestamp() + interval '1 hour'`,
    )
    await state(standby, 'standby = true')
    await state(resting, `refusals = 3, rest_until = clock_timestamp() + interval '1 hour'`)
    await setNoticePreference(off, { kind: 'nudges', inApp: true, byEmail: false, byPush: false })
    expect(await nudged()).toEqual([])

    // After three days the request goes to absent members, for twelve hours, but in quiet hours to none.
    await sql`update reviewer_states set here_until = null, standby = false,
      rest_until = clock_timestamp() + interval '1 hour', refusals = 3
      where member_id <> ${quiet.who.id}`.execute(club.system.db)
    await refreshTiers(
      club.system,
      [here, standby, resting, off, seller].map(({ who }) => who.id),
    )
    expect(await matchRequests(club.system)).toBe(0)
    await state(quiet, 'quiet_until = clock_timestamp()')
    expect(await matchRequests(club.system)).toBe(1)
    expect(await offeredTo(quiet)).toBeDefined()
  })
})

test('a nudge goes by mail or by push, and to no one whom neither reaches', async () => {
  const { db } = club.system
  const [seller, bounced, off] = [
    await newcomer('asks-first'),
    await newcomer('bounced'),
    await newcomer('off'),
  ]
  await waiting(seller, 31)
  await onlyNewMembers(seller, bounced, off)
  await sql`insert into bounced_addresses (address)
    select lower(email) from members where id = ${bounced.who.id}`.execute(db)
  const byPush = { kind: 'nudges', inApp: true, byEmail: false, byPush: true } as const
  await setNoticePreference(off, byPush)
  // Push is switched on, and no browser takes it yet.
  expect(await nudged()).toEqual([])
  await sql`with session as (
      insert into sessions (id, token, member_id, expires_at)
      values (gen_random_uuid(), 'of push', ${off.who.id}, clock_timestamp() + interval '1 hour') returning id
    ) insert into push_devices (id, member_id, session_id, endpoint, p256dh, auth)
    select gen_random_uuid(), ${off.who.id}, id, 'https://push.example', repeat('a', 88), repeat('b', 24)
    from session`.execute(db)
  expect(await nudged()).toEqual([off.who.id])
})

test('no one is nudged about a request on a closed marketplace until it reopens', async () => {
  const [seller, member] = [await newcomer('asks-first'), await newcomer('away')]
  await waiting(seller, 31)
  await onlyNewMembers(seller, member)
  const admin = await freshAdmin(club)
  // The job that holds the request has not run yet.
  await close(admin)
  expect(await nudged()).toEqual([])
  await reopen(admin)
  expect(await nudged()).toEqual([member.who.id])
})

test('a nudge passes over all who may not meet the seller, however many they are', async () => {
  const seller = await newcomer('asks-first')
  club.config.rotation = { slate: { ...rotationOfDemo.slate, start: 1 } }
  await waiting(seller, 31)
  const met: MemberCtx[] = []
  for (let n = 0; n < 20 + drawSpare; n += 1) met.push(await newcomer(`met-${n}`))
  const last = await newcomer('not-met')
  await onlyNewMembers(...met, last)
  const { db } = club.system
  await sql`insert into pair_uses (lo, hi, held, last_at)
    select least(m, s), greatest(m, s), false, clock_timestamp()
    from unnest(${met.map(({ who }) => who.id)}::uuid[]) m, (select ${seller.who.id}::uuid as s) one`.execute(
    db,
  )
  await sql`update reviewer_states set turn_at = clock_timestamp() where member_id = ${last.who.id}`.execute(
    db,
  )
  expect(await nudged()).toEqual([last.who.id])
  expect(await nudged()).toEqual([])
})

type Past = {
  ago: number | null
  off: boolean
  where: 'absent' | 'here' | 'quiet' | 'standby'
  met: boolean
  balance: number
}

test('in any history each request gets the nudge due: the first of those who could be asked', async () => {
  await onlyNewMembers()
  const { db } = club.system
  club.config.rotation = { slate: { start: 0.1, doublingMs: 30 * 60_000 } }
  const sellers = [await newcomer('asks-0'), await newcomer('asks-1'), await newcomer('asks-2')]
  const members: MemberCtx[] = []
  for (let n = 0; n < 6; n += 1) members.push(await newcomer(`away-${n}`))
  const ids: string[] = []
  for (const seller of sellers) ids.push(await waiting(seller, 0))
  const people = [...members, ...sellers].map(({ who }) => who.id)
  const keys = new Map<string, Buffer>()
  for (const { memberId, auditKey } of await db
    .selectFrom('reviewerStates')
    .select(['memberId', 'auditKey'])
    .where('memberId', 'in', people)
    .execute())
    keys.set(memberId, auditKey)

  /** A seller, who owes the review that they asked for. */
  const owing: Past = { ago: null, off: false, where: 'absent', met: false, balance: -1 }
  const member: fc.Arbitrary<Past> = fc.record({
    ago: fc.constantFrom(null, 60, 23 * 60, 24 * 60 + 1),
    off: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    where: fc.constantFrom('absent', 'absent', 'absent', 'here', 'quiet', 'standby'),
    met: fc.boolean(),
    balance: fc.constantFrom(-1, 0, 0, 0, 1),
  })
  const asked = fc.record({
    // From a day on, members who are ahead are reached, too.
    age: fc.oneof(fc.integer({ min: 5, max: 200 }), fc.integer({ min: 1300, max: 1600 })),
    ago: fc.constantFrom(null, 10, 59, 61),
    // Its row is new then, but it is as old as the first request.
    isSuccessor: fc.boolean(),
  })
  const clubs = fc.record({
    members: fc.array(member, { minLength: members.length, maxLength: members.length }),
    requests: fc.array(asked, { minLength: 3, maxLength: 3 }),
    minutes: fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 2, maxLength: 4 }),
  })

  await fc.assert(
    fc.asyncProperty(clubs, async (past) => {
      await sql`savepoint history`.execute(db)
      try {
        for (const [at, { age, ago, isSuccessor }] of past.requests.entries())
          await sql`update review_queue set prio_at = t.asked, asked_at = t.asked,
              created_at = case when ${isSuccessor} then clock_timestamp() else t.asked end,
              nudged_at = clock_timestamp() - make_interval(mins => ${ago}::int)
            from (select clock_timestamp() - make_interval(mins => ${age}) as asked) t
            where id = ${ids[at]}`.execute(db)
        for (const [at, { ago, off, where, met, balance }] of past.members.entries()) {
          const id = members[at]!.who.id
          await sql`update reviewer_states
            set nudged_at = clock_timestamp() - make_interval(mins => ${ago}::int),
              standby = ${where === 'standby'}, balance = ${balance},
              here_until = case when ${where === 'here'} then clock_timestamp() + interval '9 hours' end,
              quiet_from = case when ${where === 'quiet'} then clock_timestamp() - interval '9 hours' end,
              quiet_until = case when ${where === 'quiet'} then clock_timestamp() + interval '9 hours' end
            where member_id = ${id}`.execute(db)
          if (off)
            await sql`insert into notice_preferences (member_id, kind, in_app, by_email)
              values (${id}, 'nudges', true, false)`.execute(db)
          if (met)
            await sql`insert into pair_uses (lo, hi, held, last_at)
              select least(${id}::uuid, s), greatest(${id}::uuid, s), false, clock_timestamp()
              from (select ${sellers[0]!.who.id}::uuid as s) t`.execute(db)
        }
        // The model: minutes since the last nudge of each, by member and by request.
        const lastOf = new Map<string, number>(
          [
            ...past.members.map(({ ago }, at) => [members[at]!.who.id, ago] as const),
            ...past.requests.map(({ ago }, at) => [ids[at]!, ago] as const),
          ].flatMap(([id, ago]) => (ago === null ? [] : [[id, ago]])),
        )
        for (const minutes of past.minutes) {
          const queue = await db
            .selectFrom('reviewQueue')
            .select(['id', 'sellerId', 'askedAt', 'lotteryKey'])
            .where('id', 'in', ids)
            .orderBy('prioAt')
            .execute()
          const { rows } = await sql<{ now: number }>`
            select extract(epoch from clock_timestamp())::float8 * 1000 as now`.execute(db)
          const now = rows[0]!.now
          const due: { queueId: string; memberId: string }[] = []
          for (const { id: queueId, sellerId, askedAt, lotteryKey } of queue) {
            const age = now - Date.parse(askedAt!)
            if (age < 30 * 60_000 || (lastOf.get(queueId) ?? 60) < 60) continue
            const share = slateShare(age, { start: 0.1, doublingMs: 30 * 60_000 })
            const could = people.flatMap((memberId, at) => {
              const number = memberNumber(keys.get(memberId)!, lotteryWeek(now))
              const value = lotteryValue(lotteryKey, number)
              const { off, where, met, balance } = past.members[at] ?? owing
              const may =
                memberId !== sellerId &&
                value < share &&
                balance < givingCap + capRelaxation(age / 3_600_000, 'nothing') &&
                where === 'absent' &&
                !off &&
                !(met && sellerId === sellers[0]!.who.id) &&
                (lastOf.get(memberId) ?? 24 * 60) >= 24 * 60 &&
                due.every((one) => one.memberId !== memberId)
              return may ? [{ memberId, score: 2 * balance + value }] : []
            })
            const [first] = could.toSorted((one, other) => one.score - other.score)
            if (first) due.push({ queueId, memberId: first.memberId })
          }
          expect(await nudgeMembers(club.system)).toEqual(due)
          expect(await nudgeMembers(club.system)).toEqual([])

          for (const { queueId, memberId } of due) {
            lastOf.set(queueId, 0)
            lastOf.set(memberId, 0)
          }
          for (const [id, ago] of lastOf) lastOf.set(id, ago + minutes)
          await sql`update review_queue
            set created_at = created_at - make_interval(mins => ${minutes}),
              asked_at = asked_at - make_interval(mins => ${minutes}),
              prio_at = prio_at - make_interval(mins => ${minutes}),
              nudged_at = nudged_at - make_interval(mins => ${minutes})
            where id = any(${ids}::uuid[])`.execute(db)
          await sql`update reviewer_states
            set nudged_at = nudged_at - make_interval(mins => ${minutes})`.execute(db)
        }
      } finally {
        await sql`rollback to savepoint history`.execute(db)
      }
    }),
    { numRuns: 30, seed: 5 },
  )
})
