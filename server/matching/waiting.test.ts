import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { WaitingRequest } from '#contract/staff/health.ts'
import { newId } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { matchRequests } from './pass.ts'
import { askForReview, addProductOf, consent, newMembers, present, productOf } from './testing.ts'
import { explainWaiting } from './waiting.ts'

const club = useClub()

async function asked(username = 'anna') {
  const seller = await club.as(username)
  const productId = await productOf(seller)
  const { id } = await askForReview(seller, productId)
  return { seller, id, productId }
}

async function why() {
  const { oldest } = await explainWaiting(club.system)
  const [first] = oldest
  return { first, rules: rulesOf(first) }
}

function rulesOf(request: WaitingRequest | undefined) {
  return Object.fromEntries((request?.excluded ?? []).map(({ rule, members }) => [rule, members]))
}

describe('why a request waits', () => {
  test('counts each member once, under the first rule that leaves them out', async () => {
    await asked()
    const { members, oldest } = await explainWaiting(club.system)
    const [first] = oldest
    const counted = first?.excluded.reduce((sum, { members }) => sum + members, first.askable)
    expect(counted).toBe(members)
    // Elif is paused, and no one is present.
    expect(rulesOf(first)).toEqual({ not_taking_part: 1, not_here: members - 1 })
    expect(first?.askable).toBe(0)
  })

  test('names the rules that the pass follows', async () => {
    const { seller, id } = await asked()
    const people = {
      paired: await club.as('ben'),
      cooling: await club.as('clara'),
      ahead: await club.as('dario'),
      owner: await club.as('finn'),
    }
    await present(seller, ...Object.values(people))
    const { db } = club.system
    await sql`insert into pair_uses (lo, hi, held, last_at) values (
      least(${seller.who.id}::uuid, ${people.paired.who.id}::uuid),
      greatest(${seller.who.id}::uuid, ${people.paired.who.id}::uuid), false, clock_timestamp())`.execute(db)
    await sql`update reviewer_states set available_at = clock_timestamp() + interval '1 hour', tier = 9
      where member_id = ${people.cooling.who.id}`.execute(db)
    await sql`update reviewer_states set balance = 1 where member_id = ${people.ahead.who.id}`.execute(db)
    await sql`insert into owned_listings (member_id, listing_id) select ${people.owner.who.id}, listing_id
      from review_queue where id = ${id}`.execute(db)
    const { rules, first } = await why()
    expect(rules).toMatchObject({
      own_product: 1,
      paired_before: 1,
      on_cooldown: 1,
      over_cap: 1,
      cannot_take: 1,
    })
    expect(first?.askable).toBe(0)
    // The pass finds the same.
    expect(await matchRequests(club.system)).toBe(0)
    await sql`update reviewer_states set balance = 0 where member_id = ${people.ahead.who.id}`.execute(db)
    expect((await why()).first?.askable).toBe(1)
    expect(await matchRequests(club.system)).toBe(1)
  })

  test('says that members are outside of the slate of a young request', async () => {
    await present(...(await newMembers(club, 20)))
    await asked()
    club.config.rotation.slate.start = 0.1
    const { first, rules } = await why()
    club.config.rotation.slate.start = 1
    expect((first?.askable ?? 0) + (rules.not_in_slate ?? 0)).toBe(20)
    expect(rules.not_in_slate).toBeGreaterThan(10)
  })

  test('says where the seller of a request on hold stands', async () => {
    const { id } = await asked()
    await sql`update memberships set paused_from = clock_timestamp() - interval '1 hour',
      paused_until = clock_timestamp() + interval '1 day'
      where member_id = (select seller_id from review_queue where id = ${id})`.execute(club.system.db)
    await sql`update review_queue set status = 'held' where id = ${id}`.execute(club.system.db)
    const { first } = await why()
    expect(first).toMatchObject({ status: 'held', heldBy: 'seller_paused', excluded: [], askable: 0 })
    await sql`update review_queue set status = 'queued' where id = ${id}`.execute(club.system.db)
  })

  test('lists the ten that wait longest, and changes nothing', async () => {
    const seller = await club.newMember('many')
    await consent(seller)
    const rows = async () =>
      JSON.stringify(await club.system.db.selectFrom('reviewQueue').selectAll().execute())
    await askForReview(seller, await addProductOf(seller, newId()))
    const before = await rows()
    expect(await explainWaiting(club.system)).toMatchObject({ queued: 1, held: 0, notLookedAt: 0 })
    expect(await rows()).toBe(before)
  })
})
