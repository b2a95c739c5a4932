import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { askAlertDays } from '#contract/matching-rules.ts'
import { archiveProduct } from '#server/products/products.ts'
import { newId } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { whyNotAsk } from '../reads.ts'
import { cancelRequest } from '../requests.ts'
import { addProductOf, askForReview, productOf } from '../testing.ts'
import { addAskAlert, sendAskAlerts } from './ask-alerts.ts'

const club = useClub()

/** Anna wants to know when she can ask for a review, while no one was here for a day. */
async function alerted() {
  const anna = await club.as('anna')
  const product = await productOf(anna)
  await seen('25 hours')
  await addAskAlert(anna, product)
  await addAskAlert(anna, product)
  return { anna, product }
}

const seen = (ago: string) =>
  sql`update reviewer_states set last_seen_at = clock_timestamp() - ${ago}::interval`.execute(club.system.db)

async function sent() {
  await sendAskAlerts(club.system)
  await sendAskAlerts(club.system)
  const { rows } = await sql<{ username: string; mails: number; lines: number }>`
    select m.username,
      (select count(*)::int from mails where member_id = m.id and template = 'ask-possible') as mails,
      (select count(*)::int from activity_items where member_id = m.id and title = n.title) as lines
    from notices n join members m on m.id = n.member_id
    where n.title = 'You can ask for a review now'`.execute(club.system.db)
  return rows
}

async function changes() {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from events where name = 'product.changed'`.execute(club.system.db)
  return rows[0]?.count ?? 0
}

const alerts = () => club.system.db.selectFrom('askAlerts').select('productId').execute()

test('a seller is notified once, when enough members could take the request', async () => {
  const { anna, product } = await alerted()
  expect((await whyNotAsk(anna, [product])).get(product)?.refusal).toMatchObject({
    code: 'NO_MEMBER_AVAILABLE',
    alert: true,
  })
  expect(await sent()).toEqual([])
  await seen('1 hour')
  expect(await sent()).toEqual([{ username: 'anna', mails: 1, lines: 1 }])
  expect(await alerts()).toEqual([])
  await askForReview(anna, product)
})

test('a run notifies of one product, the next of another: asking may be possible only once', async () => {
  const { anna } = await alerted()
  const second = await addProductOf(anna, newId())
  await addAskAlert(anna, second)
  await seen('1 hour')
  await sendAskAlerts(club.system)
  expect(await alerts()).toEqual([{ productId: second }])
  await sendAskAlerts(club.system)
  expect(await alerts()).toEqual([])
})

test('no one else can ask for it', async () => {
  const { product } = await alerted()
  await expect(addAskAlert(await club.as('ben'), product)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('it ends when the product is asked for, and can be added again right after that', async () => {
  const { anna, product } = await alerted()
  await seen('1 hour')
  const { id } = await askForReview(anna, product)
  expect(await alerts()).toEqual([])
  await cancelRequest(anna, id)
  await seen('25 hours')
  await addAskAlert(anna, product)
  expect(await sent()).toEqual([])
  expect(await alerts()).toEqual([{ productId: product }])
})

test('it ends without a word once the product is archived or was waited for too long', async () => {
  const ends = [
    async () => {
      const clara = await club.as('clara')
      const product = await productOf(clara)
      await addAskAlert(clara, product)
      await archiveProduct(clara, product)
    },
    async () => {
      const dario = await club.as('dario')
      await addAskAlert(dario, await productOf(dario))
      await sql`update ask_alerts set created_at = created_at - make_interval(days => ${askAlertDays})
        where member_id = ${dario.who.id}`.execute(club.system.db)
    },
  ]
  for (const end of ends) await end()
  expect(await alerts()).toHaveLength(2)
  const before = await changes()
  expect(await sent()).toEqual([])
  expect(await alerts()).toEqual([])
  expect(await changes()).toBe(before + 2)
})
