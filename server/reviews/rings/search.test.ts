import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { retention } from '#contract/retention.ts'
import { addProductOf } from '#server/matching/testing.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { submitted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { searchRings } from './search.ts'

const club = useClub()

async function addMembers(...usernames: string[]) {
  for (const username of usernames) await addProductOf(await club.newMember(username), username)
}

async function review(reviewer: string, seller: string) {
  await verifyReview(club.system, await submitted(club, seller, reviewer), 'seller')
}

/** Each of these new members reviews the product of the next, and the last one that of the first. */
async function reviewInACircle(...usernames: string[]) {
  await addMembers(...usernames)
  for (const [at, reviewer] of usernames.entries())
    await review(reviewer, usernames[(at + 1) % usernames.length] ?? '')
  return Promise.all(usernames.map((username) => club.idOf(username)))
}

/** Eight reviews between other members, of whom each gave or received one. */
async function amongOthers() {
  for (const pair of Array.from({ length: 8 }).keys()) {
    await addMembers(`giver-${pair}`, `taker-${pair}`)
    await review(`giver-${pair}`, `taker-${pair}`)
  }
}

const kept = () => club.system.db.selectFrom('rings').selectAll().execute()

test('three members who review only in a circle are kept for staff; nothing happens to them', async () => {
  await amongOthers()
  const ids = await reviewInACircle('ring-a', 'ring-b', 'ring-c')
  await searchRings(club.system)
  await searchRings(club.system)
  const rings = await kept()
  expect(rings).toMatchObject([{ members: ids, reviews: 3 }])
  expect(rings[0]?.byChance).toBeLessThan(0.01)

  const { rows } = await sql`select length, members, reviews, circles from ring_searches
    order by length`.execute(club.system.db)
  expect(rows).toEqual([
    { length: 3, members: 19, reviews: 11, circles: 1 },
    { length: 4, members: 19, reviews: 11, circles: 0 },
  ])
  const { rows: states } = await sql`
    select distinct s.standing, s.cooldown_until, s.tier, m.suspended_at
    from reviewer_states s join members m on m.id = s.member_id where m.id = any(${ids})`.execute(
    club.system.db,
  )
  expect(states).toEqual([{ standing: 'in', cooldownUntil: null, tier: 1, suspendedAt: null }])

  // The ring is no longer kept a year after it was last found, and not counted after 90 days.
  await sql`update reviews set verified_at = verified_at - interval '91 days'`.execute(club.system.db)
  await sql`update rings set last_found_at = clock_timestamp() - make_interval(days =>
    ${retention.ringDays - 1})`.execute(club.system.db)
  await searchRings(club.system)
  expect(await kept()).toHaveLength(1)
  await sql`update rings set last_found_at = clock_timestamp() - make_interval(days =>
    ${retention.ringDays + 1})`.execute(club.system.db)
  await searchRings(club.system)
  expect(await kept()).toEqual([])
})

test('a ring of four is deleted when one of its members leaves the club', async () => {
  await amongOthers()
  const ids = await reviewInACircle('ring-a', 'ring-b', 'ring-c', 'ring-d')
  await searchRings(club.system)
  expect(await kept()).toMatchObject([{ members: ids, reviews: 4 }])
  await eraseMember(club.system, ids[2] ?? '')
  expect(await kept()).toEqual([])
  await searchRings(club.system)
  expect(await kept()).toEqual([])
})
