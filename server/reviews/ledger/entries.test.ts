import { createPublicKey, verify } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '#server/kit/db/db.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { listSigningKeys } from '#server/site/signing-keys.ts'
import { ledgerCsv } from '#server/reviews/ledger-files.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { submitted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { moveFromClub } from './club-entries.ts'
import { listLedger } from './entries.ts'
import { makeStatement } from './statement.ts'

const club = useClub()

/** anna receives two, gives one, and an entry of hers is corrected. Returns anna and the corrected review. */
async function history() {
  const first = await submitted(club, 'anna', 'ben')
  await verifyReview(club.system, first, 'seller')
  await verifyReview(club.system, await submitted(club, 'clara', 'anna'), 'seller')
  await sql`update products set title = '=HYPERLINK("x")' where seller_id = ${first.sellerId}`.execute(
    club.system.db,
  )
  await verifyReview(club.system, await submitted(club, 'anna', 'dario'), 'seller')
  const anna = await club.as('anna')
  const { id } = await anna.db
    .selectFrom('ledgerEntries')
    .select('id')
    .where('reviewId', '=', first.id)
    .where('memberId', '=', anna.who.id)
    .executeTakeFirstOrThrow()
  await inTransaction(club.system, (ctx) =>
    moveFromClub(ctx, { memberId: anna.who.id, delta: 1, reason: 'corrected', corrects: id }),
  )
  return { anna, first }
}

describe('my ledger', () => {
  test('has every entry, newest first, with its exchange and the balance after it, in pages', async () => {
    const { anna, first } = await history()
    const whole = await listLedger(anna, {})
    expect(whole).toMatchObject({ entries: 4, sum: 0, next: null })
    expect(whole.items.map(({ reason, delta, balance }) => [reason, delta, balance])).toEqual([
      ['corrected', 1, 0],
      ['received', -1, -1],
      ['gave', 1, 0],
      ['received', -1, -1],
    ])
    expect(whole.items[0]?.exchange).toMatchObject({ reviewId: first.id, side: 'received' })
    expect(whole.items[2]?.exchange?.side).toBe('mine')
    const page = await listLedger(anna, { limit: 3 })
    const rest = await listLedger(anna, { limit: 3, cursor: page.next ?? '' })
    expect([...page.items, ...rest.items]).toEqual(whole.items)
    expect(await listLedger(await club.as('finn'), {})).toEqual({
      items: [],
      next: null,
      entries: 0,
      sum: 0,
      months: [],
    })
  })

  test('as CSV keeps what a seller typed from being run as a formula', async () => {
    const { anna } = await history()
    const lines = (await ledgerCsv(anna)).split('\r\n')
    expect(lines).toHaveLength(6)
    expect(lines[2]).toContain(`"'=HYPERLINK(""x"")"`)
    expect(lines[2]).toMatch(/"http:\/\/localhost:3000\/reviews\/received\/[0-9a-f-]{36}","-1","-1"$/)
  })
})

describe('a signed statement', () => {
  async function isGenuine(ctx: MemberCtx, text: string) {
    // The form that docs/signed-statements.md describes.
    const { signature, statement } = JSON.parse(text) as { signature: string; statement: { keyId: string } }
    const { keys } = await listSigningKeys(ctx)
    const key = keys.find(({ kid }) => kid === statement.keyId)
    if (!key) return false
    const { kty, crv, x } = key
    // The statement is written in its canonical form, so what is signed stands in the file as it is.
    const signed = text.slice(text.indexOf('"statement":') + '"statement":'.length, text.lastIndexOf('}'))
    const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
    return verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'))
  }

  test('is checked with the public key alone, and any other byte is found out', async () => {
    const { anna } = await history()
    const text = await makeStatement(anna)
    expect(await isGenuine(anna, text)).toBe(true)
    for (const changed of [
      text.replace('"balance":0,', '"balance":5,'),
      text.replace('"delta":1', '"delta":2'),
      text.replace(/"member":"anna"/, '"member":"ben"'),
    ]) {
      expect(changed).not.toBe(text)
      expect(await isGenuine(anna, changed)).toBe(false)
    }
  })

  test('still checks after the club’s secret was changed', async () => {
    const { anna } = await history()
    const text = await makeStatement(anna)
    const later = { ...anna, config: { ...anna.config, authSecret: 'another-secret-0123456789-abcdefghij' } }
    expect(await isGenuine(later, text)).toBe(true)
    expect(JSON.parse(await makeStatement(later)).statement.keyId).not.toBe(JSON.parse(text).statement.keyId)
  })

  test('adds up from its previous balance, and shares nothing with the other side’s', async () => {
    const { anna, first } = await history()
    const { statement } = JSON.parse(await makeStatement(anna, { limit: 2 }))
    expect(statement).toMatchObject({ previousBalance: 0, balance: 0, member: 'anna' })
    expect(statement.entries.map(({ delta, balance }: Record<string, number>) => [delta, balance])).toEqual([
      [-1, -1],
      [1, 0],
    ])
    for (const entry of statement.entries) {
      expect(Object.keys(entry).toSorted()).toEqual([
        'balance',
        'day',
        'delta',
        'proof',
        'reason',
        'reference',
      ])
      expect(entry.day).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
    const [mine, theirs] = [await makeStatement(anna), await makeStatement(first.reviewer)]
    const referencesOf = (text: string) => new Set(text.match(/"reference":"[^"]+"/g))
    expect(referencesOf(mine).intersection(referencesOf(theirs))).toEqual(new Set())
    for (const text of [mine, theirs]) {
      expect(text).not.toContain(first.id)
      expect(text).not.toMatch(/HYPERLINK|planner/i)
    }
  })
})
