// Serial refusal rests. Time is moved by editing rows.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { listNotices } from '#server/notifications/reads.ts'
import { useClub } from '#server/testing/club.ts'
import { expireOffers, respondToOffer } from '../offers.ts'
import { matchRequests } from '../pass.ts'
import { getBalance, findCooldown } from '../reads.ts'
import { addProductOf, askForReview, consent, offeredTo, present } from '../testing.ts'
import { withdrawOffersTo } from '../endings.ts'
import { bePresent } from '../signals.ts'
import { endRest } from './rests.ts'

const club = useClub()

const steps = [
  'decline',
  'free',
  'letPass',
  'stillHere',
  'stayed',
  'unseen',
  'left',
  'cameBack',
  'absent',
  'withdrawn',
  'accept',
  'ready',
] as const
type Step = (typeof steps)[number]

/** A request of a new seller. */
async function request(name: string) {
  const seller = await club.newMember(name)
  return (await askForReview(seller, await addProductOf(seller, newId()))).id
}

/** Offers a waiting request to the member, as a pass would, without a draw. */
async function offer(to: MemberCtx, queueId: string, live: boolean) {
  const { db } = club.system
  const id = newId()
  await sql`update offers set offered_at = offered_at - interval '2 hours'
    where reviewer_id = ${to.who.id}`.execute(db)
  await sql`insert into offers (id, queue_id, reviewer_id, seller_id, state, live, expires_at, snapshot)
    select ${id}, q.id, ${to.who.id}, q.seller_id, 'open', ${live}, clock_timestamp() + interval '30 minutes',
      product_snapshot(p)
    from review_queue q join products p on p.id = q.product_id where q.id = ${queueId}`.execute(db)
  await sql`update review_queue set status = 'offered', offered_to = ${to.who.id},
    offered_at = clock_timestamp(), offer_expires_at = clock_timestamp() + interval '30 minutes'
    where id = ${queueId}`.execute(db)
  await sql`update reviewer_states set open_offer_id = ${id}, tier = 9, rest_until = null, pending_give = 0,
    cooldown_until = null, available_at = '-infinity' where member_id = ${to.who.id}`.execute(db)
  return id
}

/**
 * Lets an offer of an hour ago run out, seen or not, whose member was last here so many minutes after it
 * came; -1 for a member who was not here since, and -2 for one who comes back before it is ended.
 */
async function runOut(member: MemberCtx, id: string, seen: boolean, hereFor: number) {
  const { db } = club.system
  await sql`update offers set seen_at = case when ${seen} then offered_at end,
    offered_at = offered_at - interval '1 hour', expires_at = clock_timestamp() - interval '1 second'
    where id = ${id}`.execute(db)
  await sql`update review_queue set offered_at = offered_at - interval '1 hour',
    offer_expires_at = clock_timestamp() - interval '1 second' where status = 'offered'`.execute(db)
  await sql`update reviewer_states
    set last_seen_at = (select offered_at + make_interval(mins => ${hereFor}) from offers where id = ${id})
    where member_id = ${member.who.id}`.execute(db)
  if (hereFor === -2) await bePresent(member)
  expect(await expireOffers(club.system)).toBe(1)
}

async function take(member: MemberCtx, queueId: string, step: Step) {
  if (step === 'ready') return endRest(member)
  const id = await offer(member, queueId, step !== 'absent')
  if (step === 'decline') await respondToOffer(member, { queueId, accept: false, reason: 'busy' })
  if (step === 'free') await respondToOffer(member, { queueId, accept: false, reason: 'already_own' })
  if (step === 'letPass') await runOut(member, id, true, -1)
  if (step === 'stillHere') await runOut(member, id, false, 61)
  if (step === 'stayed') await runOut(member, id, false, 6)
  if (step === 'unseen') await runOut(member, id, false, -1)
  if (step === 'left') await runOut(member, id, false, 4)
  if (step === 'cameBack') await runOut(member, id, false, -2)
  if (step === 'absent') await runOut(member, id, true, 61)
  if (step === 'withdrawn') await withdrawOffersTo(club.system, member.who.id)
  if (step === 'accept') {
    await respondToOffer(member, { queueId, accept: true })
    await sql`update offers set responded_at = responded_at - interval '30 days',
      offered_at = offered_at - interval '30 days' where id = ${id}`.execute(club.system.db)
  }
}

async function stateOf(member: MemberCtx) {
  const { rows } = await sql<{ refusals: number; hours: number | null; tier: number }>`
    select refusals, round(extract(epoch from rest_until - clock_timestamp()) / 3600)::int as hours, tier
    from reviewer_states where member_id = ${member.who.id}`.execute(club.system.db)
  return rows[0]
}

/** Runs a history and takes it back. */
async function undone(work: () => Promise<void>) {
  const { db } = club.system
  await sql`savepoint history`.execute(db)
  try {
    await work()
  } finally {
    await sql`rollback to savepoint history`.execute(db)
  }
}

test('a rest begins at the third refusal in a row and doubles, in any history of answers', async () => {
  const requests: string[] = []
  for (let n = 0; n < 4; n += 1) requests.push(await request(`asks-${n}`))
  const member = await club.newMember('answers')
  await consent(member)
  const hours = [null, null, null, 24, 48, 96]
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          { weight: 2, arbitrary: fc.constantFrom(...steps) },
          { weight: 1, arbitrary: fc.constantFrom('decline' as const, 'letPass' as const) },
        ),
        { minLength: 4, maxLength: 9 },
      ),
      (history) =>
        undone(async () => {
          let [run, accepted] = [0, 0]
          let free = 0
          let unopened = false
          for (const [at, step] of history.entries()) {
            const queueId = requests[accepted]
            if (!queueId) return
            await take(member, queueId, step)
            if (step === 'accept') accepted += 1
            const counts =
              step === 'decline' ||
              step === 'letPass' ||
              step === 'stayed' ||
              step === 'stillHere' ||
              (['unseen', 'left', 'cameBack'].includes(step) && unopened) ||
              (step === 'free' && (free += 1) > 2)
            if (!['absent', 'withdrawn', 'ready'].includes(step) && (step !== 'free' || counts))
              unopened = ['stayed', 'stillHere', 'unseen', 'left', 'cameBack'].includes(step)
            run = step === 'accept' ? 0 : run + (counts ? 1 : 0)
            const expected = counts ? (run < hours.length ? (hours[run] ?? null) : 168) : null
            expect(await stateOf(member), history.slice(0, at + 1).join()).toMatchObject({
              refusals: run,
              hours: expected,
            })
            if (expected) expect(await stateOf(member)).toMatchObject({ tier: 9 })
          }
        }),
    ),
    {
      numRuns: 15,
      seed: 12,
      examples: [
        [Array(8).fill('decline')],
        [Array(6).fill('stillHere')],
        [['stayed', 'left', 'stayed', 'unseen', 'stayed']],
        [['left', 'unseen', 'absent', 'left', 'withdrawn', 'unseen', 'decline', 'left']],
        [['left', 'free', 'left', 'free', 'free', 'unseen']],
        [['decline', 'cameBack', 'decline', 'cameBack', 'cameBack']],
      ],
    },
  )
})

test('a rest is said to its member, and ends when they say they are ready; the run goes on', async () => {
  const queueId = await request('asks')
  const member = await club.newMember('answers')
  await consent(member)
  for (let n = 0; n < 3; n += 1) await take(member, queueId, 'letPass')
  const rest = await findCooldown(member)
  expect(rest).toMatchObject({ refusals: 3, declinesToday: 0, cooldownUntil: null })
  expect(rest?.restUntil).not.toBeNull()
  expect((await getBalance(member)).offerRefusal).toMatchObject({ code: 'RESTING' })
  await present(member)
  expect(await stateOf(member)).toMatchObject({ tier: 9 })
  const notice = async () => (await listNotices(member, {})).items.find(({ title }) => /resting/.test(title))
  expect(await notice()).toMatchObject({ settled: false, action: { href: '/cooldown' } })

  await endRest(member)
  await endRest(member)
  expect(await notice()).toMatchObject({ settled: true })
  expect(await findCooldown(member)).toMatchObject({ refusals: 3, restUntil: null })
  expect(await stateOf(member)).toMatchObject({ tier: 0, hours: null })
  await take(member, queueId, 'letPass')
  expect(await stateOf(member)).toMatchObject({ refusals: 4, hours: 48 })
})

test('from ten in a row on, a rest can be ended in its second half', async () => {
  const queueId = await request('asks')
  const member = await club.newMember('answers')
  await consent(member)
  const pass = (hours: number) =>
    sql`update reviewer_states set rest_until = rest_until - make_interval(hours => ${hours})
      where member_id = ${member.who.id}`.execute(club.system.db)
  for (let n = 0; n < 9; n += 1) await take(member, queueId, 'letPass')
  await endRest(member)
  expect(await stateOf(member)).toMatchObject({ refusals: 9, hours: null })
  await take(member, queueId, 'letPass')
  const { restUntil, readyFrom } = (await findCooldown(member)) ?? {}
  expect(Date.parse(restUntil ?? '') - Date.parse(readyFrom ?? '')).toBe(84 * 3_600_000)
  await expect(endRest(member)).rejects.toMatchObject({ code: 'RESTING', data: { at: readyFrom } })
  await pass(83)
  await expect(endRest(member)).rejects.toMatchObject({ code: 'RESTING' })
  expect(await stateOf(member)).toMatchObject({ refusals: 10, hours: 85 })
  await pass(1)
  await endRest(member)
  expect(await stateOf(member)).toMatchObject({ refusals: 10, hours: null })
  const { items } = await listNotices(member, {})
  expect(items.find(({ title }) => /resting/.test(title))?.message).toMatch(/“I’m ready”, from .+ on\.$/)
})

test('saying ready leaves a cooldown as it is', async () => {
  const queueId = await request('asks')
  const member = await club.newMember('answers')
  await consent(member)
  for (let n = 0; n < 3; n += 1) await take(member, queueId, 'decline')
  const { cooldownUntil } = (await findCooldown(member)) ?? {}
  await present(member)
  await endRest(member)
  expect(await findCooldown(member)).toMatchObject({ cooldownUntil, restUntil: null })
  expect(await stateOf(member)).toMatchObject({ tier: 9 })
})

test('a rest that is over wakes its member in the next run of the draw', async () => {
  const queueId = await request('asks')
  const member = await club.newMember('answers')
  await consent(member)
  for (let n = 0; n < 3; n += 1) await take(member, queueId, 'letPass')
  await sql`update reviewer_states set rest_until = clock_timestamp()
    where member_id = ${member.who.id}`.execute(club.system.db)
  await matchRequests(club.system)
  expect(await stateOf(member)).toMatchObject({ tier: 1, refusals: 3 })
})

test('who receives on credit and refused ten in a row is last in the band, in the lottery too', async () => {
  const [refuses, owes, seller] = [
    await club.newMember('refuses'),
    await club.newMember('owes'),
    await club.newMember('asks'),
  ]
  for (const member of [refuses, owes]) {
    await consent(member)
    await sql`update reviewer_states set balance = -1 where member_id = ${member.who.id}`.execute(
      club.system.db,
    )
  }
  await sql`update reviewer_states set refusals = 10, turn_at = turn_at - interval '30 days'
    where member_id = ${refuses.who.id}`.execute(club.system.db)
  for (let round = 0; round < 6; round += 1) {
    await undone(async () => {
      await askForReview(seller, await addProductOf(seller, newId()))
      await present(refuses, owes)
      expect(await matchRequests(club.system)).toBe(1)
      expect(await offeredTo(owes)).toBeDefined()
    })
  }
  const bands = await club.system.db
    .selectFrom('reviewerStates')
    .select('band')
    .where('memberId', 'in', [refuses.who.id, owes.who.id, seller.who.id])
    .orderBy('band')
    .execute()
  expect(bands.map(({ band }) => band)).toEqual([2, 3, 4])
  await sql`update reviewer_states set balance = 0`.execute(club.system.db)
  const even = club.system.db.selectFrom('reviewerStates').select('band').where('refusals', '=', 10)
  expect(await even.executeTakeFirstOrThrow()).toEqual({ band: 4 })
})
