import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { getBalance } from '#server/matching/reads.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { notificationsTo, submitted } from '#server/reviews/testing.ts'
import { fresh } from '#server/privacy/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { correctEntry } from './corrections.ts'

const club = useClub()
const reason = 'The review was not about this product.'

async function entriesOf(member: MemberCtx) {
  const { rows } = await sql<{ id: string; reason: string; delta: number }>`
    select id, reason, delta from ledger_entries where member_id = ${member.who.id}
    order by at desc, id desc`.execute(member.db)
  return rows
}

test('a correction adds the opposite entry, which may itself be corrected, and never edits one', async () => {
  const review = await submitted(club, 'anna', 'ben')
  await verifyReview(club.system, review, 'seller')
  const { reviewer: ben } = review
  const [entry, ...older] = await entriesOf(ben)
  const before = (await getBalance(ben)).balance
  const ada = await fresh(club, await club.as('ada'))
  const input = { memberId: ben.who.id, entryId: entry?.id ?? '', reason }
  await correctEntry(ada, input)
  expect(await entriesOf(ben)).toEqual([
    { id: expect.any(String), reason: 'corrected', delta: -1 },
    entry,
    ...older,
  ])
  expect(await getBalance(ben)).toMatchObject({ balance: before - 1, corrected: -1 })
  expect(await notificationsTo(ben)).toContain('Your balance was corrected')
  await expect(correctEntry(ada, input)).rejects.toMatchObject({ code: 'ALREADY_CORRECTED' })
  const [correction] = await entriesOf(ben)
  await correctEntry(ada, { ...input, entryId: correction?.id ?? '', reason: 'That was wrong.' })
  expect(await getBalance(ben)).toMatchObject({ balance: before, corrected: 0 })
  const { rows } = await sql`select action, reason, before, after ->> 'delta' as delta from staff_actions
    where member_id = ${ben.who.id} order by at, id limit 1`.execute(ben.db)
  expect(rows).toEqual([{ action: 'entry_corrected', reason, before: { delta: 1 }, delta: '-1' }])
})

test('only after confirming who one is, never of one’s own exchange or another member’s entry', async () => {
  const review = await submitted(club, 'anna', 'ben')
  await verifyReview(club.system, review, 'seller')
  const [entry] = await entriesOf(review.reviewer)
  const input = { memberId: review.reviewerId, entryId: entry?.id ?? '', reason }
  await expect(correctEntry(await club.as('ada'), input)).rejects.toMatchObject({ code: 'NOT_FRESH' })
  await sql`update members set role = 'admin' where id = ${review.sellerId}`.execute(review.seller.db)
  const anna = await fresh(club, await club.as('anna'))
  await expect(correctEntry(anna, input)).rejects.toMatchObject({ code: 'OWN_MATTER' })
  const ada = await fresh(club, await club.as('ada'))
  await expect(correctEntry(ada, { ...input, memberId: await club.idOf('clara') })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})
