// One person with two accounts, by the addresses and sign-in accounts that an account had.
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { useClub } from '#server/testing/club.ts'
import { matchRequests } from '../pass.ts'
import { askForReview, consent, newMembers, offeredTo, present, productOf } from '../testing.ts'

const club = useClub()

/** Anna, who asks for a review, and a member who is here. */
async function scene() {
  const anna = await club.as('anna')
  const [other] = await newMembers(club, 1)
  if (!other) throw new Error('One member was asked for.')
  await consent(other)
  await changed(anna)
  await askForReview(anna, await productOf(anna))
  return { anna, other }
}

const changed = ({ who }: MemberCtx) =>
  inTransaction(club.system, (ctx) => emit(ctx, 'member.changed', { memberId: who.id }, [who.id]))

async function move(member: MemberCtx, email: string) {
  await club.system.db.updateTable('members').set({ email }).where('id', '=', member.who.id).execute()
  await changed(member)
}

async function linkGoogle(member: MemberCtx, accountId: string) {
  await club.system.db
    .insertInto('loginMethods')
    .values({ id: newId(), memberId: member.who.id, providerId: 'google', accountId })
    .execute()
  await changed(member)
}

test('a second account with the same mailbox is never drawn for the first one', async () => {
  const { other } = await scene()
  await move(other, 'anna+2@evenhand.example')
  await present(other)
  await matchRequests(club.system)
  expect(await offeredTo(other)).toBeUndefined()
  // Nor after it has another address: what was known once stays known.
  await move(other, 'annabel@evenhand.example')
  await matchRequests(club.system)
  expect(await offeredTo(other)).toBeUndefined()
})

test('an open offer is withdrawn when a sign-in account shows that both are one person', async () => {
  const { anna, other } = await scene()
  await move(other, 'annabel@evenhand.example')
  await present(other)
  await matchRequests(club.system)
  await linkGoogle(other, 'g-1')
  expect(await offeredTo(other)).toBeDefined()
  // The first account had it once, before it was linked to the second.
  await club.system.db.deleteFrom('loginMethods').where('accountId', '=', 'g-1').execute()
  await linkGoogle(anna, 'g-1')
  expect(await offeredTo(other)).toBeUndefined()
  await matchRequests(club.system)
  expect(await offeredTo(other)).toBeUndefined()
})
