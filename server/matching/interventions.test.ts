import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useClub } from '#server/testing/club.ts'
import { respondToOffer } from './offers.ts'
import { matchRequests } from './pass.ts'
import { cancelRequestAsStaff, withdrawOfferAsStaff } from './requests.ts'
import { askForReview, addProductOf, offeredTo, present, requestOf } from './testing.ts'

const club = useClub()
const reason = 'The listing leads to another product.'

/** A request of a new seller that is offered to anna. */
async function offered() {
  const [anna, zoe] = [await club.as('anna'), await club.newMember('zoe')]
  const productId = await addProductOf(zoe, 'zoe')
  const { id } = await askForReview(zoe, productId)
  await present(anna)
  await matchRequests(club.system)
  expect(await offeredTo(anna)).toBeDefined()
  return { anna, zoe, id, productId }
}

test('a waiting request is canceled, its offer withdrawn without penalty; both are notified', async () => {
  const { anna, zoe, id, productId } = await offered()
  const sam = await club.as('sam')
  await cancelRequestAsStaff(sam, { id, reason })
  expect(await requestOf(zoe, productId)).toMatchObject({ status: 'cancelled' })
  await expect(respondToOffer(anna, { queueId: id, accept: true })).rejects.toMatchObject({
    code: 'OFFER_WITHDRAWN',
  })
  const { rows } = await sql`select title from notices where member_id = ${zoe.who.id}
    and message like ${`%${reason}`}`.execute(zoe.db)
  expect(rows).toEqual([{ title: 'Request canceled' }])
  await expect(cancelRequestAsStaff(sam, { id, reason })).rejects.toMatchObject({ code: 'REQUEST_CLOSED' })
})

test('an open offer is withdrawn without penalty, and the request returns to its place', async () => {
  const { anna, zoe, id, productId } = await offered()
  const before = await requestOf(zoe, productId)
  const sam = await club.as('sam')
  await withdrawOfferAsStaff(sam, { id, reason })
  expect(await requestOf(zoe, productId)).toMatchObject({
    status: 'queued',
    offeredTo: null,
    prioAt: before.prioAt,
  })
  const { rows } = await sql`select cooldown_until, (select count(*) from decline_history d
    where d.reviewer_id = s.member_id and d.created_at > clock_timestamp() - interval '1 minute') as declines
    from reviewer_states s where member_id = ${anna.who.id}`.execute(anna.db)
  expect(rows).toEqual([{ cooldownUntil: null, declines: 0 }])
  await expect(withdrawOfferAsStaff(sam, { id, reason })).rejects.toMatchObject({ code: 'OFFER_ANSWERED' })
})

test('neither is for those who are part of it', async () => {
  const { anna, zoe, id } = await offered()
  for (const party of [anna, zoe]) {
    await expect(cancelRequestAsStaff(party, { id, reason })).rejects.toMatchObject({ code: 'OWN_MATTER' })
    await expect(withdrawOfferAsStaff(party, { id, reason })).rejects.toMatchObject({ code: 'OWN_MATTER' })
  }
})
