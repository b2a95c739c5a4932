import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { useClub } from '#server/testing/club.ts'
import { mailsTo } from '#server/testing/mails.ts'
import { fresh } from '#server/privacy/testing.ts'
import { grantMembership } from './grants.ts'
import { membershipJobs } from './jobs.ts'
import { grantDemoMembership } from './memberships.ts'
import { membershipReactions } from './reactions.ts'

const club = useClub()

async function newcomer() {
  const id = newId()
  await sql`insert into members (id, email, email_verified, username)
    values (${id}, 'new@evenhand.example', true, 'newcomer')`.execute(club.system.db)
  return id
}

function inProduction(ctx: Ctx): Ctx {
  return { ...ctx, config: { ...ctx.config, mode: 'production' } }
}

function membershipOf(memberId: string) {
  return club.system.db
    .selectFrom('memberships')
    .select(['status', 'source', 'currentPeriodEnd'])
    .select(
      sql<number>`round(extract(epoch from current_period_end - clock_timestamp()) / 86400)::int`.as(
        'daysLeft',
      ),
    )
    .where('memberId', '=', memberId)
    .executeTakeFirst()
}

async function setPeriod(memberId: string, source: string, left: string) {
  await sql`insert into memberships (member_id, status, source, current_period_end, stripe_subscription_id)
    values (${memberId}, 'active', ${source}, clock_timestamp() + ${left}::interval,
      ${source === 'stripe' ? 'sub' : null})`.execute(club.system.db)
}

const runJob = (ctx: Ctx) => membershipJobs[0]?.run(ctx, [{}])

function changes() {
  return club.system.db
    .selectFrom('events')
    .select(['ids', 'recipients'])
    .where('name', '=', 'membership.changed')
    .execute()
}

describe('a membership', () => {
  test('of the demo begins with the confirmed address, runs 30 days and is sent to that member', async () => {
    const memberId = await newcomer()
    const ctx = { ...club.system, kit: { ...club.system.kit, reactions: [membershipReactions] } }
    await inTransaction(ctx, (inside) => emit(inside, 'member.verified', { memberId }))
    expect(await membershipOf(memberId)).toMatchObject({ status: 'active', source: 'demo', daysLeft: 30 })
    expect(await changes()).toEqual([{ ids: {}, recipients: [memberId] }])
  })

  test('is not granted in production', async () => {
    const memberId = await newcomer()
    await grantDemoMembership(inProduction(club.system), memberId)
    expect(await membershipOf(memberId)).toBeUndefined()
  })

  test('that exists is not changed by a grant', async () => {
    const memberId = await newcomer()
    await setPeriod(memberId, 'stripe', '3 days')
    await grantDemoMembership(club.system, memberId)
    expect(await membershipOf(memberId)).toMatchObject({ source: 'stripe', daysLeft: 3 })
  })

  test('of the demo club renews itself within a day of its end, once', async () => {
    const memberId = await newcomer()
    await setPeriod(memberId, 'demo', '20 hours')
    await runJob(club.system)
    await runJob(club.system)
    expect(await membershipOf(memberId)).toMatchObject({ status: 'active', daysLeft: 31 })
  })

  test('of the demo club renews for its full length after the club was off for weeks', async () => {
    const memberId = await newcomer()
    await setPeriod(memberId, 'demo', '-20 days')
    await runJob(club.system)
    expect(await membershipOf(memberId)).toMatchObject({ status: 'active', daysLeft: 30 })
  })

  test.each([
    ['-2 days', 'active', 0],
    ['-71 hours', 'ended', 1],
    ['-30 days', 'ended', 1],
  ])('that is paid for and whose period ended %s ago is %s', async (left, status, count) => {
    const memberId = await newcomer()
    await setPeriod(memberId, 'stripe', left)
    await runJob(club.system)
    expect(await membershipOf(memberId)).toMatchObject({ status })
    expect(await changes()).toHaveLength(count)
  })

  test('that an admin grants starts at once, and a running one goes on for longer', async () => {
    const memberId = await newcomer()
    const ada = await fresh(club, await club.as('ada'))
    const grant = { memberId, days: 14, reason: 'A fault of ours.' }
    await grantMembership(ada, grant)
    expect(await membershipOf(memberId)).toMatchObject({ status: 'active', source: 'grant', daysLeft: 14 })
    await grantMembership(ada, { ...grant, days: 7 })
    expect(await membershipOf(memberId)).toMatchObject({ source: 'grant', daysLeft: 21 })
    await grantMembership(ada, { ...grant, memberId: await club.idOf('ben') })
    expect(await membershipOf(await club.idOf('ben'))).toMatchObject({ source: 'demo' })
  })

  test.each([
    ['refunded', sql`status = 'refunded'`],
    ['over', sql`status = 'ended'`],
    ['canceled, and its period has ended', sql`ends_at = clock_timestamp() - interval '1 hour'`],
  ])('that was paid and is %s can be granted again', async (_, set) => {
    const memberId = await newcomer()
    await setPeriod(memberId, 'stripe', '-1 hour')
    await sql`update memberships set ${set} where member_id = ${memberId}`.execute(club.system.db)
    const ada = await fresh(club, await club.as('ada'))
    await grantMembership(ada, { memberId, days: 7, reason: 'A fault of ours.' })
    expect(await membershipOf(memberId)).toMatchObject({ status: 'active', source: 'grant', daysLeft: 7 })
  })

  test('with a missing payment or a dispute is not granted: its subscription lives', async () => {
    const memberId = await newcomer()
    await setPeriod(memberId, 'stripe', '-1 hour')
    const ada = await fresh(club, await club.as('ada'))
    for (const status of ['past_due', 'disputed']) {
      await sql`update memberships set status = ${status}, grace_until = clock_timestamp()
        where member_id = ${memberId}`.execute(club.system.db)
      await expect(grantMembership(ada, { memberId, days: 7, reason: 'A fault.' })).rejects.toMatchObject({
        code: 'MEMBERSHIP_PAID',
      })
    }
  })

  test('that was granted ends with its last day', async () => {
    const memberId = await newcomer()
    await setPeriod(memberId, 'grant', '-1 minute')
    await runJob(club.system)
    expect(await membershipOf(memberId)).toMatchObject({ status: 'ended' })
    const mail = (await mailsTo(club, 'new@evenhand.example')).at(-1)
    expect(mail?.subject).toBe('Your membership has ended')
    expect(mail?.text).toContain('Paid membership is not open yet')
    expect(mail?.text).not.toMatch(/charged|join again/)
  })

  test('is not granted to oneself, without a recent confirmation, or to a paying subscriber', async () => {
    const memberId = await newcomer()
    await setPeriod(memberId, 'stripe', '3 days')
    const ada = await fresh(club, await club.as('ada'))
    const grant = { memberId, days: 14, reason: 'A fault of ours.' }
    await expect(grantMembership(ada, grant)).rejects.toMatchObject({ code: 'MEMBERSHIP_PAID' })
    await expect(grantMembership(await club.as('ada'), grant)).rejects.toMatchObject({ code: 'NOT_FRESH' })
    await expect(grantMembership(ada, { ...grant, memberId: ada.who.id })).rejects.toMatchObject({
      code: 'OWN_MATTER',
    })
  })
})
