import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { askForReview, productOf } from '#server/matching/testing.ts'
import { liftSuspension, suspendByRule } from '#server/membership/suspensions.ts'
import { decideCase } from '#server/moderation/decisions.ts'
import { getCase, listCases } from '#server/moderation/staff-reads.ts'
import { decided, reported } from '#server/moderation/testing.ts'
import { accepted, submitted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { explainExchange, getExchange } from './exchanges/exchange.ts'
import { listExchanges } from './exchanges/search.ts'
import { getRotation } from './health.ts'
import { listLogs } from './logs.ts'
import {
  listMemberActions,
  listMemberActivity,
  listMemberExchanges,
  listMemberLedger,
  listMemberMails,
} from './members/lists.ts'
import { getMemberPage } from './members/page.ts'

const club = useClub()

/** Makes these members accounts that may be one person's, by an address that both have had. */
async function makeOnePerson(...members: MemberCtx[]) {
  await sql`insert into identity_hashes (member_id, hash, of_listing)
    select unnest(${members.map(({ who }) => who.id)}::uuid[]), ${Buffer.alloc(32, 7)}, false`.execute(
    club.system.db,
  )
}

async function onStaff(username: string) {
  await sql`update members set role = 'support', two_factor_enabled = true
    where username = ${username}`.execute(club.system.db)
  return club.as(username)
}

describe('another account of the caller', () => {
  test('is not theirs to decide about, nor are its exchanges and cases', async () => {
    const [sam, dario] = [await club.as('sam'), await club.as('dario')]
    const review = await submitted(club, 'anna', 'dario')
    const caseId = await reported(review)
    await makeOnePerson(sam, dario)
    await suspendByRule(club.system, { memberId: dario.who.id, reason: 'Three missed reviews.', days: null })

    const own = { code: 'OWN_MATTER' }
    const memberId = dario.who.id
    await expect(liftSuspension(sam, { memberId, reason: 'It is mine.' })).rejects.toMatchObject(own)
    await expect(getMemberPage(sam, { id: memberId })).rejects.toMatchObject(own)
    await expect(getExchange(sam, { id: review.queueId })).rejects.toMatchObject(own)
    await expect(explainExchange(sam, { id: review.queueId })).rejects.toMatchObject(own)
    await expect(decideCase(sam, decided(caseId))).rejects.toMatchObject(own)
    await expect(getCase(sam, caseId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await listCases(sam, {})).items).toEqual([])
    expect((await listExchanges(sam, {})).items.map(({ id }) => id)).not.toContain(review.queueId)

    const ada = await club.as('ada')
    await liftSuspension(ada, { memberId, reason: 'They explained it.' })
    expect((await listCases(ada, {})).items).toHaveLength(1)
  })

  test('gets no event of a case about it, and other staff do', async () => {
    const [sam, dario, ada] = [await club.as('sam'), await club.as('dario'), await club.as('ada')]
    await makeOnePerson(sam, dario)
    const review = await submitted(club, 'dario', 'ben')
    await reported(review)
    const { rows } = await sql<{ recipients: string[] }>`
      select recipients from events where name = 'case.changed' order by at desc limit 1`.execute(sam.db)
    expect(rows[0]?.recipients).toContain(ada.who.id)
    expect(rows[0]?.recipients).not.toContain(sam.who.id)
  })
})

describe('staff who take part', () => {
  test('find in the log nothing of an exchange of theirs', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const { productId } = review
    await recordActivity(
      club.system,
      'product_connected',
      { productId, productName: 'Zebra kit' },
      review.sellerId,
    )
    const ben = await onStaff('ben')
    const actions = async (ctx: MemberCtx) =>
      (await listLogs(ctx, { search: 'zebra kit' })).items.map(({ action }) => action)
    expect(await actions(ben)).toEqual([])
    expect(await actions(await club.as('sam'))).toEqual(['product_connected'])
    const ofSeller = async (ctx: MemberCtx) =>
      (await listMemberActivity(ctx, { id: review.sellerId })).items.map(({ details }) => details)
    expect(JSON.stringify(await ofSeller(ben))).not.toContain(productId)
    expect(JSON.stringify(await ofSeller(await club.as('sam')))).toContain(productId)
    const unfiltered = (await listLogs(ben, {})).items.map(({ metadata }) => metadata)
    expect(JSON.stringify(unfiltered)).not.toContain(productId)
  })

  test('find among what our staff did nothing about an exchange of theirs', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const subject = { kind: 'request', id: review.queueId }
    const action = { action: 'deadline_extended', memberId: review.sellerId, subject }
    await recordStaffAction(await club.as('ada'), action)
    const actions = async (ctx: MemberCtx) =>
      (await listMemberActions(ctx, { id: review.sellerId })).items.map(({ action }) => action)
    expect(await actions(await club.as('sam'))).toContain('deadline_extended')
    expect(await actions(await onStaff('ben'))).not.toContain('deadline_extended')
  })

  test('are not shown why a request of theirs waits, and others are', async () => {
    const anna = await club.as('anna')
    const { id } = await askForReview(anna, await productOf(anna))
    const shown = async (ctx: MemberCtx) => (await getRotation(ctx)).oldest.map(({ queueId }) => queueId)
    expect(await shown(await club.as('sam'))).toEqual([id])
    expect(await shown(await onStaff('anna'))).toEqual([])
  })
})

test('every look at an exchange, a member or a case is recorded', async () => {
  const review = await submitted(club, 'anna', 'ben')
  const caseId = await reported(review)
  const of = { id: review.sellerId }
  let looks = 0
  const recorded = async (look: (ctx: MemberCtx) => Promise<unknown>) => {
    looks += 1
    const staff = await club.newMember(`looking-${looks}`)
    await look(staff)
    const { rows } = await sql<{ action: string }>`
      select action from staff_actions where actor_id = ${staff.who.id}`.execute(staff.db)
    return rows.map(({ action }) => action)
  }
  expect(await recorded((ctx) => listExchanges(ctx, {}))).toEqual(['exchanges_listed'])
  expect(await recorded((ctx) => getCase(ctx, caseId))).toEqual(['case_viewed'])
  for (const list of [listMemberLedger, listMemberMails, listMemberActivity, listMemberActions]) {
    expect(await recorded((ctx) => list(ctx, of))).toEqual(['member_viewed'])
  }
  expect(await recorded((ctx) => listMemberExchanges(ctx, { ...of, side: 'seller' }))).toEqual([
    'member_viewed',
  ])
})
