import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '#server/kit/db/db.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { refreshStandings } from '#server/matching/standing.ts'
import {
  askForReview,
  addProductOf,
  offeredTo,
  present,
  productOf,
  requestOf,
} from '#server/matching/testing.ts'
import { getMe } from '#server/members/reads.ts'
import { suspendMember } from '#server/members/suspension.ts'
import { accepted, notificationsTo, rowOf } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { mailsTo } from '#server/testing/mails.ts'
import { refuseChanges } from '#server/testing/held-row.ts'
import { liftEndedSuspensions, liftSuspension, suspendAsStaff } from './suspensions.ts'

const club = useClub()
const why = 'You sent the same review twice.'

async function standingOf(memberId: string) {
  const { rows } = await sql<{ view: string; state: string }>`
    select t.standing as view, s.standing as state from standings t join reviewer_states s using (member_id)
    where member_id = ${memberId}`.execute(club.system.db)
  return rows[0]
}

/** Moves a suspension back, so that its end has passed. */
async function passTerm(memberId: string) {
  await sql`update members set suspended_at = suspended_at - interval '30 days',
    suspended_until = clock_timestamp() - interval '1 second' where id = ${memberId}`.execute(club.system.db)
}

describe('a suspension by our staff', () => {
  test('is in force at once; the member reads why and until when, in the product and by mail', async () => {
    const ben = await club.as('ben')
    const memberId = ben.who.id
    await suspendAsStaff(await club.as('sam'), { memberId, reason: why, days: 14 })
    expect(await standingOf(memberId)).toEqual({ view: 'out', state: 'out' })
    await expect(askForReview(ben, await productOf(ben))).rejects.toMatchObject({ code: 'SUSPENDED' })
    const { suspension } = await getMe(ben)
    expect(suspension?.reason).toBe(why)
    expect(Date.parse(suspension?.until ?? '') - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
    expect(await notificationsTo(ben)).toContain('Your account is suspended')
    const mails = await mailsTo(club, 'ben@evenhand.example')
    expect(mails.at(-1)).toMatchObject({ template: 'account-suspended' })
    expect(mails.at(-1)?.text).toContain(why)
    expect(mails.at(-1)?.text).toContain('our staff suspended your account')
  })

  test('withdraws the open offer without penalty and leaves the reviews in progress', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const [anna, zoe] = [await club.as('anna'), await club.newMember('zoe')]
    const productId = await addProductOf(zoe, 'zoe')
    await askForReview(zoe, productId)
    await present(anna)
    await matchRequests(club.system)
    expect(await offeredTo(anna)).toBeDefined()
    for (const memberId of [anna.who.id, review.reviewerId]) {
      await suspendAsStaff(await club.as('sam'), { memberId, reason: why, days: 7 })
    }
    expect(await requestOf(zoe, productId)).toMatchObject({ status: 'queued', offeredTo: null })
    expect((await rowOf(review)).status).toBe('pending')
    const { rows } = await sql`select from decline_history where reviewer_id = ${anna.who.id}
      and created_at > clock_timestamp() - interval '1 minute'`.execute(anna.db)
    expect(rows).toEqual([])
  })

  test('ends by itself: at its end the member takes part, and the job notifies them once', async () => {
    const ben = await club.as('ben')
    const memberId = ben.who.id
    await suspendAsStaff(await club.as('sam'), { memberId, reason: why, days: 1 })
    await liftEndedSuspensions(club.system)
    expect(await standingOf(memberId)).toEqual({ view: 'out', state: 'out' })
    await passTerm(memberId)
    expect(await standingOf(memberId)).toMatchObject({ view: 'in' })
    expect((await getMe(ben)).suspension).toBeNull()
    await refreshStandings(club.system)
    expect(await standingOf(memberId)).toMatchObject({ state: 'in' })
    await liftEndedSuspensions(club.system)
    await liftEndedSuspensions(club.system)
    const notices = (await notificationsTo(ben)).filter((title) => title === 'Your suspension is over')
    expect(notices).toHaveLength(1)
  })

  test('of one member ends though the row of another cannot be written', async () => {
    const ids = [await club.idOf('anna'), await club.idOf('ben')].toSorted()
    for (const memberId of ids) {
      await suspendAsStaff(await club.as('sam'), { memberId, reason: why, days: 1 })
      await passTerm(memberId)
    }
    const [first = '', second = ''] = ids
    const { db } = club.system
    const accept = await refuseChanges(db, { table: 'reviewer_states', column: 'member_id', id: first })
    await expect(refreshStandings(club.system)).rejects.toThrow('not today')
    expect(await standingOf(first)).toEqual({ view: 'in', state: 'out' })
    expect(await standingOf(second)).toEqual({ view: 'in', state: 'in' })
    await accept()
    await refreshStandings(club.system)
    expect(await standingOf(first)).toEqual({ view: 'in', state: 'in' })
  })

  test('is lifted by our staff, once', async () => {
    const ben = await club.as('ben')
    const sam = await club.as('sam')
    const memberId = ben.who.id
    await suspendAsStaff(sam, { memberId, reason: why, days: null })
    await liftSuspension(sam, { memberId, reason: 'It was a mistake of ours.' })
    expect(await standingOf(memberId)).toEqual({ view: 'in', state: 'in' })
    await expect(liftSuspension(sam, { memberId, reason: 'Again.' })).rejects.toMatchObject({
      code: 'NOT_SUSPENDED',
    })
    const { rows } = await sql`select action, reason, before, after from staff_actions
      where member_id = ${memberId} order by at, id`.execute(ben.db)
    expect(rows).toEqual([
      {
        action: 'member_suspended',
        reason: why,
        before: { suspended: false, until: null },
        after: { suspended: true, until: null },
      },
      {
        action: 'member_reinstated',
        reason: 'It was a mistake of ours.',
        before: { suspended: true, until: null },
        after: { suspended: false, until: null },
      },
    ])
  })

  test('that is longer replaces a shorter one, never the other way round', async () => {
    const memberId = await club.idOf('ben')
    const sam = await club.as('sam')
    await suspendAsStaff(sam, { memberId, reason: why, days: 7 })
    await expect(suspendAsStaff(sam, { memberId, reason: why, days: 3 })).rejects.toMatchObject({
      code: 'ALREADY_SUSPENDED',
    })
    await suspendAsStaff(sam, { memberId, reason: why, days: 30 })
    // Three missed reviews suspend until our staff lifts it, also during a shorter suspension.
    await inTransaction(club.system, (ctx) =>
      suspendMember(ctx, { memberId, reason: 'You missed 3 reviews in 90 days.', days: null }),
    )
    const { suspension } = await getMe(await club.as('ben'))
    expect(suspension).toEqual({ reason: 'You missed 3 reviews in 90 days.', until: null })
    await expect(suspendAsStaff(sam, { memberId, reason: why, days: 365 })).rejects.toMatchObject({
      code: 'ALREADY_SUSPENDED',
    })
  })

  test('of staff is for an admin, and never for themselves', async () => {
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    const of = (memberId: string) => ({ memberId, reason: why, days: 7 })
    await expect(suspendAsStaff(sam, of(ada.who.id))).rejects.toMatchObject({ code: 'STAFF_ACCOUNT' })
    await expect(suspendAsStaff(sam, of(sam.who.id))).rejects.toMatchObject({ code: 'OWN_MATTER' })
    await expect(suspendAsStaff(ada, of(ada.who.id))).rejects.toMatchObject({ code: 'OWN_MATTER' })
    await suspendAsStaff(ada, of(sam.who.id))
    await expect(
      liftSuspension(sam, { memberId: sam.who.id, reason: 'I like myself.' }),
    ).rejects.toMatchObject({ code: 'OWN_MATTER' })
  })
})
