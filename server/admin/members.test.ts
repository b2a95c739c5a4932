import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openSession } from '#server/accounts/sessions.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { addNote } from '#server/members/notes.ts'
import { joinClub } from '#server/members/testing.ts'
import { suspendAsStaff } from '#server/membership/suspensions.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { fresh } from '#server/privacy/testing.ts'
import { correctEntry } from '#server/reviews/corrections.ts'
import { confirmReview } from '#server/reviews/outcomes.ts'
import { accepted, submitted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { mailsTo } from '#server/testing/mails.ts'
import { endSessionsAsStaff, resendVerificationAsStaff } from './members/actions.ts'
import {
  listMemberActions,
  listMemberActivity,
  listMemberExchanges,
  listMemberLedger,
  listMemberMails,
} from './members/lists.ts'
import { getMemberPage } from './members/page.ts'

const club = useClub()
const sam = () => club.as('sam')

describe('the page of a member', () => {
  test('says in codes of the predicates what keeps them from taking part, and from offers', async () => {
    const pageOf = async (username: string) => getMemberPage(await sam(), { id: await club.idOf(username) })
    expect((await pageOf('ben')).standing).toMatchObject({ takesPart: true, whyNot: null, whyNoOffer: null })
    expect((await pageOf('elif')).standing).toMatchObject({ takesPart: false, whyNot: 'MEMBERSHIP_PAUSED' })
    await sql`update reviewer_states s set cooldown_until = clock_timestamp() + interval '9 minutes'
      from members m where m.id = s.member_id and m.username = 'anna'`.execute(club.system.db)
    expect((await pageOf('anna')).standing).toMatchObject({ takesPart: true, whyNoOffer: 'COOLDOWN' })
    const memberId = await club.idOf('ben')
    await suspendAsStaff(await sam(), { memberId, reason: 'Two accounts.', days: 7 })
    expect(await pageOf('ben')).toMatchObject({
      standing: { takesPart: false, whyNot: 'SUSPENDED' },
      suspension: { reason: 'Two accounts.' },
    })
  })

  test('is recorded once an hour for each member of staff, and none of them opens their own', async () => {
    const id = await club.idOf('ben')
    for (const username of ['sam', 'sam', 'ada']) await getMemberPage(await club.as(username), { id })
    const viewed = () =>
      sql<{
        actor: string
      }>`select w.username as actor from staff_actions a join members w on w.id = a.actor_id
        where a.member_id = ${id} and a.action = 'member_viewed' order by 1`.execute(club.system.db)
    expect((await viewed()).rows.map(({ actor }) => actor)).toEqual(['ada', 'sam'])
    const me = await sam()
    for (const read of [getMemberPage, listMemberLedger, listMemberMails, listMemberActions]) {
      await expect(read(me, { id: me.who.id })).rejects.toMatchObject({ code: 'OWN_MATTER' })
    }
  })

  test('shows an admin where a membership comes from, and support nothing about payments', async () => {
    const id = await club.idOf('ben')
    expect((await getMemberPage(await club.as('ada'), { id })).membership.source).toBe('demo')
    const page = await getMemberPage(await sam(), { id })
    expect(page.membership).toMatchObject({ state: 'active', source: null })
    expect(JSON.stringify(page)).not.toMatch(/stripe/i)
  })

  test('has how many strikes and sanctions of deleted accounts count, without their days', async () => {
    const first = await joinClub(club, 'mira@mail.example')
    const { username } = await getMemberPage(await sam(), { id: first.who.id })
    await accepted(club, 'anna', username ?? '')
    await eraseMember(club.system, first.who.id)
    const again = await joinClub(club, 'mira@mail.example')
    const page = await getMemberPage(await sam(), { id: again.who.id })
    expect(page).toMatchObject({ strikes: [], fromBefore: { strikes: 1, sanctions: 0 } })
  })

  test('shows devices without secrets, and notes with their author', async () => {
    const id = await club.idOf('ben')
    await inTransaction(club.system, (ctx) => openSession(ctx, id, 'test'))
    await addNote(await sam(), { memberId: id, text: 'Asked twice about refunds.' })
    const page = await getMemberPage(await club.as('ada'), { id })
    expect(page.devices).toHaveLength(1)
    expect(page.notes).toMatchObject([{ author: 'sam', text: 'Asked twice about refunds.' }])
    const { rows } = await sql<{ token: string }>`select token from sessions where member_id = ${id}`.execute(
      club.system.db,
    )
    expect(JSON.stringify(page)).not.toContain(rows[0]?.token)
    await expect(addNote(await sam(), { memberId: (await sam()).who.id, text: 'Me.' })).rejects.toMatchObject(
      {
        code: 'OWN_MATTER',
      },
    )
  })
})

describe('the lists of a member', () => {
  test('hold the ledger with the balance after each entry', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await confirmReview(review.seller, review.id)
    const { items } = await listMemberLedger(await sam(), { id: review.reviewerId })
    const { balance } = (await getMemberPage(await sam(), { id: review.reviewerId })).balance
    expect(items[0]).toMatchObject({ reason: 'gave', delta: 1, balance, exchangeId: review.queueId })
    const sums = items.toReversed().map(
      (
        (sum) =>
        ({ delta }) =>
          (sum += delta)
      )(0),
    )
    expect(items.toReversed().map((item) => item.balance)).toEqual(sums)
  })

  test('hold requests, reviews and offers, each page going on where the last one ended', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const list = async (id: string, side: 'seller' | 'reviewer' | 'offers') => {
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const page = await listMemberExchanges(await sam(), { id, side, limit: 1, cursor })
        ids.push(...page.items.map((item) => item.id))
        cursor = page.next ?? undefined
      } while (cursor)
      return ids
    }
    expect(await list(review.sellerId, 'seller')).toContain(review.queueId)
    expect(await list(review.reviewerId, 'reviewer')).toEqual([review.queueId])
    expect(await list(review.reviewerId, 'offers')).toContain(review.queueId)
    expect(await list(review.sellerId, 'reviewer')).not.toContain(review.queueId)
  })

  test('never show staff who reviewed them', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await confirmReview(review.seller, review.id)
    await sql`update members set role = 'support' where username = 'anna'`.execute(club.system.db)
    const anna = await club.as('anna')
    const id = review.reviewerId
    const reviews = await listMemberExchanges(anna, { id, side: 'reviewer' })
    const offers = await listMemberExchanges(anna, { id, side: 'offers' })
    expect([...reviews.items, ...offers.items].map((item) => item.id)).not.toContain(review.queueId)
    // Not as an entry without its exchange either: that would be the mark of it.
    const ledger = await listMemberLedger(anna, { id })
    expect(ledger.items.map(({ reason }) => reason)).not.toContain('gave')
    const [entry] = (await listMemberLedger(await sam(), { id })).items
    await correctEntry(await fresh(club, await club.as('ada')), {
      memberId: id,
      entryId: entry?.id ?? '',
      reason: 'It was counted twice.',
    })
    expect((await listMemberLedger(anna, { id })).items.map(({ reason }) => reason)).not.toContain(
      'corrected',
    )
    expect(entry).toMatchObject({
      reason: 'gave',
      exchangeId: review.queueId,
    })
  })

  test('name mails by template and state alone', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const { items } = await listMemberMails(await sam(), { id: review.reviewerId })
    expect(items[0]).toEqual({
      id: expect.any(String),
      template: 'review-accepted',
      at: expect.any(String),
      sentAt: null,
      state: 'waiting',
    })
    const { db } = club.system
    await sql`update mails set sent_at = clock_timestamp()`.execute(db)
    await sql`insert into bounced_addresses (address) values ('ben@evenhand.example')`.execute(db)
    const after = await listMemberMails(await sam(), { id: review.reviewerId })
    expect(after.items[0]?.state).toBe('bounced')
  })

  test('hold the activity and what our staff did', async () => {
    const id = await club.idOf('ben')
    await suspendAsStaff(await sam(), { memberId: id, reason: 'Two accounts.', days: 7 })
    await inTransaction(club.system, (ctx) => openSession(ctx, id, 'test'))
    expect((await listMemberActivity(await sam(), { id })).items[0]).toMatchObject({
      action: 'user_logged_in',
      details: { method: 'test' },
    })
    const actions = (await listMemberActions(await sam(), { id })).items
    expect(actions.map(({ action }) => action)).toEqual(['member_viewed', 'member_suspended'])
    expect(actions[1]).toMatchObject({
      actor: 'sam',
      action: 'member_suspended',
      reason: 'Two accounts.',
    })
  })
})

test('a member’s page names accounts with an address of theirs, not those with a listing', async () => {
  const [ben, two, three] = [await club.as('ben'), await club.newMember('two'), await club.newMember('three')]
  const share = (hash: number, ofListing: boolean, ...of: MemberCtx[]) =>
    sql`insert into identity_hashes (member_id, hash, of_listing)
      select unnest(${of.map(({ who }) => who.id)}::uuid[]), ${Buffer.alloc(32, hash)}, ${ofListing}`.execute(
      club.system.db,
    )
  await share(1, false, ben, two)
  await share(2, true, ben, three)
  const { otherAccounts } = await getMemberPage(await sam(), { id: ben.who.id })
  expect(otherAccounts).toEqual([{ id: two.who.id, name: 'two', suspended: false }])
})

describe('staff', () => {
  test('sign a member out everywhere, after confirming who they are', async () => {
    const id = await club.idOf('ben')
    await inTransaction(club.system, (ctx) => openSession(ctx, id, 'test'))
    const reason = 'Another person had the password.'
    await expect(endSessionsAsStaff(await club.as('ada'), { id, reason })).rejects.toMatchObject({
      code: 'NOT_FRESH',
    })
    const ada = await fresh(club, await club.as('ada'))
    await endSessionsAsStaff(ada, { id, reason })
    const sessions = await sql`select from sessions where member_id = ${id}`.execute(club.system.db)
    expect(sessions.rows).toEqual([])
    await expect(endSessionsAsStaff(ada, { id: ada.who.id, reason })).rejects.toMatchObject({
      code: 'OWN_MATTER',
    })
  })

  test('send the confirmation link again, only to an address that was not confirmed', async () => {
    const id = await club.idOf('ben')
    await expect(resendVerificationAsStaff(await sam(), { id })).rejects.toMatchObject({
      code: 'ALREADY_CONFIRMED',
    })
    await sql`insert into members (id, email, username)
      values (gen_random_uuid(), 'new@evenhand.example', 'new')`.execute(club.system.db)
    const newcomer = await club.idOf('new')
    await resendVerificationAsStaff(await sam(), { id: newcomer })
    const mails = await mailsTo(club, 'new@evenhand.example')
    expect(mails.map(({ template }) => template)).toEqual(['verify-email'])
  })
})
