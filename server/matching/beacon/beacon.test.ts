// A public beacon in the lottery, with a chain of tests whose servers run on this machine. Time moves by
// editing rows: nine seconds are three rounds.
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkBeacon } from '#contract/beacon-check.ts'
import { roundFor, roundTime } from '#contract/beacon.ts'
import { beaconSeconds } from '#contract/matching-rules.ts'
import { beaconRandomness, lotteryKey } from '#contract/draw.ts'
import { checkKept, drawReceipt } from '#contract/draw-receipt.ts'
import type { DrawReceipt } from '#contract/draw-receipt.ts'
import { signRound, startBeaconServer, testChain } from '#sandbox/beacon/beacon.ts'
import type { BeaconServer } from '#sandbox/beacon/beacon.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { lapseReview } from '#server/reviews/outcomes.ts'
import { partyColumns } from '#server/reviews/parties.ts'
import { useClub } from '#server/testing/club.ts'
import { getReceipt } from '../audit/receipts.ts'
import { phases } from '../candidates.ts'
import { explainWait } from '../explain/own-wait.ts'
import { takeTicket } from '../lottery.ts'
import { respondToOffer } from '../offers.ts'
import { runPass } from '../pass.ts'
import { cancelRequest, requestReview } from '../requests.ts'
import {
  addProductOf,
  askForReview,
  failedChecks,
  newMembers,
  letMomentsCome,
  present,
  publishAsIfOver,
  requestOf,
} from '../testing.ts'
import { beaconAt } from '#server/testing/beacon.ts'
import { letRoundsPass } from './testing.ts'
import { fetchBeacon } from './values.ts'

const club = useClub()
const script = join(import.meta.dirname, '../../../scripts/verify-draw.mjs')
let server: BeaconServer
let other: BeaconServer
beforeEach(async () => {
  other = await startBeaconServer()
  server = await startBeaconServer({ leadsTo: other.address })
  club.config.beacon = beaconAt(server)
})
afterEach(async () => {
  club.config.beacon = null
  await server.close()
  await other.close()
})

type Asked = { seller: MemberCtx; productId: string; id: string; beaconRound: number | null }

/** A request of a new seller, with seven others present. */
async function asked(): Promise<Asked> {
  const members = await newMembers(club, 8)
  const [seller] = members as [MemberCtx]
  const productId = await addProductOf(seller, 'beacon')
  const { ticket } = await takeTicket(seller, productId)
  const { id, beaconRound } = await requestReview(seller, { productId, ticket, nonce: 'ab'.repeat(16) })
  await present(...members)
  return { seller, productId, id, beaconRound }
}

const wait = (rounds: number) => letRoundsPass(club.system, rounds)
const draw = () => runPass(club.system, { phase: phases.present, batch: 5 })
const keyOf = async (productId: string) => (await requestOf(club.system, productId)).lotteryKey

/** The key that the rules give, with the value of this round or without. */
async function keyBy(productId: string, round: number | null) {
  const { lotteryDay, lotteryTicket, lotteryNonce } = await requestOf(club.system, productId)
  const { rows } = await sql<{ secret: Buffer }>`
    select secret from lottery_days where day = ${String(lotteryDay)}`.execute(club.system.db)
  const value = round === null ? null : { round, signature: signRound(round) }
  return Buffer.from(lotteryKey(rows[0]!.secret, BigInt(lotteryTicket), lotteryNonce, value))
}

const roundOf = async (productId: string) => Number((await requestOf(club.system, productId)).beaconRound)

async function receiptOf({ seller, id }: Asked): Promise<DrawReceipt> {
  await publishAsIfOver(club.system)
  return drawReceipt.parse(await getReceipt(seller, id))
}

type Script = { verify(given: object): { ok: boolean | null; text: string }[] }

/** What the page and the script find wrong. */
async function faultsOf(receipt: DrawReceipt, beacon: object | null = null) {
  const { verify } = (await import(script)) as Script
  const steps = checkBeacon(receipt)
  return {
    page: [...steps.flatMap(({ name, ok }) => (ok === false ? [name] : [])), ...failedChecks(receipt)],
    script: verify({ receipt, beacon }).filter(({ ok }) => ok === false).length,
  }
}

describe('the round that counts', () => {
  const { hash, public_key: publicKey, period, genesis_time: genesis, groupHash: seed, metadata } = testChain
  const chain = { hash, publicKey, period, genesis, seed, name: metadata.beaconID }

  test('is the first one that is published the lead after the ticket was used, or later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 1, max: 30 }), (after, period) => {
        const from = new Date(chain.genesis * 1000 + after)
        const round = roundFor({ ...chain, period }, from)
        const earliest = from.getTime() + beaconSeconds.lead * 1000
        expect(roundTime({ ...chain, period }, round)).toBeGreaterThanOrEqual(earliest)
        expect(roundTime({ ...chain, period }, round - 1)).toBeLessThan(earliest)
      }),
    )
  })

  test('is in the answer to asking, and is not published then', async () => {
    const { productId, beaconRound } = await asked()
    const { beaconFrom, createdAt, beaconSignature } = await requestOf(club.system, productId)
    expect(beaconRound).toBe(await roundOf(productId))
    expect(roundTime(chain, beaconRound!)).toBeGreaterThan(Date.parse(createdAt))
    expect(Date.parse(beaconFrom!)).toBeLessThanOrEqual(Date.parse(createdAt))
    expect(beaconSignature).toBeNull()
    await fetchBeacon(club.system)
    expect(server.asked).toEqual([])
  })
})

describe('a request', () => {
  test('waits for the value, which then makes its key, and every step of its receipt holds', async () => {
    const request = await asked()
    const { productId, seller, id } = request
    expect(await draw()).toMatchObject({ requests: 0, matched: 0 })
    const { beaconFrom } = await requestOf(club.system, productId)
    const { beaconUntil } = await explainWait(seller, id)
    expect(Date.parse(beaconUntil!) - Date.parse(beaconFrom!)).toBe(beaconSeconds.wait * 1000)
    await wait(4)
    const round = await roundOf(productId)
    expect(await keyOf(productId)).toEqual(await keyBy(productId, null))
    club.sent.length = 0
    await fetchBeacon(club.system)
    expect(club.sent.map(({ name }) => name)).toEqual(['match-requests'])
    expect(await keyOf(productId)).toEqual(await keyBy(productId, round))
    expect(await explainWait(seller, id)).toMatchObject({ beaconUntil: null })
    expect(await draw()).toMatchObject({ requests: 1, matched: 1 })
    const receipt = await receiptOf(request)
    expect(receipt.beacon).toMatchObject({ round, signature: Buffer.from(signRound(round)).toString('hex') })
    const truth = { round, signature: receipt.beacon!.signature }
    expect(await faultsOf(receipt, truth)).toEqual({ page: [], script: 0 })
  })

  test('without a value in a minute is drawn without it, and its receipt says so', async () => {
    server.manner = 'down'
    const request = await asked()
    await wait(4)
    club.sent.length = 0
    await fetchBeacon(club.system)
    expect(club.sent.map(({ name }) => name)).toEqual(['fetch-beacon'])
    await wait(15)
    expect(await draw()).toMatchObject({ matched: 0 })
    const waitOf = () => explainWait(request.seller, request.id)
    expect((await waitOf()).beaconUntil).not.toBeNull()
    await wait(1)
    expect((await waitOf()).beaconUntil).toBeNull()
    club.sent.length = 0
    await fetchBeacon(club.system)
    expect(club.sent.map(({ name }) => name)).toEqual(['match-requests'])
    expect(await draw()).toMatchObject({ matched: 1 })
    // The value comes too late.
    server.manner = 'honest'
    await fetchBeacon(club.system)
    expect(await keyOf(request.productId)).toEqual(await keyBy(request.productId, null))
    const receipt = await receiptOf(request)
    expect(receipt.beacon).toMatchObject({ signature: null, randomness: null })
    expect(checkBeacon(receipt).at(-1)?.text).toMatch(/^No beacon: /)
    expect(await faultsOf(receipt)).toEqual({ page: [], script: 0 })
    const published = { round: receipt.beacon!.round + 1 }
    expect((await faultsOf(receipt, published)).script).toBe(1)
  })

  test.each(['lies', 'later', 'redirects', 'floods'] as const)(
    'takes no value of a server that %s, but one of the next server',
    async (manner) => {
      server.manner = manner
      const { productId } = await asked()
      await wait(4)
      await fetchBeacon(club.system)
      expect(await keyOf(productId)).toEqual(await keyBy(productId, null))
      club.config.beacon = beaconAt(server, other)
      await fetchBeacon(club.system)
      expect(await keyOf(productId)).toEqual(await keyBy(productId, await roundOf(productId)))
    },
  )

  test('takes no value while the clock of the database is behind the beacon', async () => {
    const { productId } = await asked()
    await wait(4)
    server.aheadSeconds = 8
    await fetchBeacon(club.system)
    expect(await keyOf(productId)).toEqual(await keyBy(productId, null))
    server.aheadSeconds = 0
    await fetchBeacon(club.system)
    expect(await keyOf(productId)).toEqual(await keyBy(productId, await roundOf(productId)))
  })

  test('that is cancelled and repeated keeps its round, and both get the same value', async () => {
    const first = await asked()
    const { seller, productId } = first
    await wait(1)
    await cancelRequest(seller, first.id)
    const second = await askForReview(seller, productId)
    expect(second.beaconRound).toBe(first.beaconRound! - 1)
    await wait(3)
    await fetchBeacon(club.system)
    const { rows } = await sql<{ key: Buffer; signature: Buffer }>`
      select lottery_key as key, beacon_signature as signature from review_queue
      where product_id = ${productId}`.execute(club.system.db)
    expect(rows).toHaveLength(2)
    const key = await keyBy(productId, await roundOf(productId))
    for (const row of rows) expect(row.key).toEqual(key)
    await cancelRequest(seller, second.id)
    const third = await askForReview(seller, productId)
    expect(await keyOf(productId)).toEqual(key)
    expect(await draw()).toMatchObject({ matched: 1 })
    const receipt = await receiptOf({ ...first, id: third.id })
    expect(Date.parse(receipt.beacon!.from)).toBeLessThan(Date.parse(receipt.askedAt) - 9000)
    expect(await faultsOf(receipt)).toEqual({ page: [], script: 0 })
  })

  test.each(['with the value', 'without one'])(
    'whose review lapses leaves a successor of the same round and key, drawn %s',
    async (how) => {
      const first = await asked()
      const { productId } = first
      const hasValue = how === 'with the value'
      server.manner = hasValue ? 'honest' : 'down'
      await wait(hasValue ? 4 : 20)
      await fetchBeacon(club.system)
      const former = await drawn(productId)
      server.manner = 'honest'
      let last = former
      for (let lapses = 1; lapses <= 2; lapses += 1) {
        await lapse(productId)
        await letMomentsCome(club.system)
        expect(ticketOf(await requestOf(club.system, productId))).toEqual(ticketOf(former))
        // A value that comes only now comes too late.
        await fetchBeacon(club.system)
        last = await drawn(productId)
        expect(ticketOf(last)).toEqual(ticketOf(former))
      }
      expect(last.id).not.toBe(former.id)
      expect(last.lotteryKey).toEqual(await keyBy(productId, hasValue ? Number(former.beaconRound) : null))
      const receipt = await receiptOf({ ...first, id: last.id })
      expect(receipt.beacon?.signature).toBe(former.beaconSignature?.toString('hex') ?? null)
      expect(await faultsOf(receipt)).toEqual({ page: [], script: 0 })
    },
  )

  type Row = Awaited<ReturnType<typeof requestOf>>

  function ticketOf({ lotteryDay, lotteryTicket, lotteryNonce, lotteryKey, ...row }: Row) {
    const { beaconChain, beaconFrom, beaconRound, beaconSignature } = row
    const beacon = { beaconChain, beaconFrom, beaconRound, beaconSignature }
    return { lotteryDay, lotteryTicket, lotteryNonce, lotteryKey, ...beacon }
  }

  /** The only request of this product, offered by a draw. */
  async function drawn(productId: string) {
    expect(await draw()).toMatchObject({ requests: 1, matched: 1 })
    return requestOf(club.system, productId)
  }

  /** The offered request is accepted, and its review lapses. */
  async function lapse(productId: string) {
    const { db } = club.system
    const { id, offeredTo } = await requestOf(club.system, productId)
    const reviewer = actAs(club.system, { id: offeredTo!, role: 'user', sessionId: null, twoFactor: false })
    await respondToOffer(reviewer, { queueId: id, accept: true })
    await sql`update reviews set accepted_at = accepted_at - interval '200 hours',
      purchase_due_at = purchase_due_at - interval '200 hours', due_at = clock_timestamp()
      where queue_id = ${id}`.execute(db)
    const review = await db
      .selectFrom('reviews')
      .select(partyColumns)
      .where('queueId', '=', id)
      .executeTakeFirstOrThrow()
    expect(await lapseReview(club.system, review)).toBe(true)
  }

  test('of a club that uses no beacon has none, and nothing is fetched for it', async () => {
    club.config.beacon = null
    const request = await asked()
    expect(request.beaconRound).toBeNull()
    await fetchBeacon(club.system)
    expect(club.sent.map(({ name }) => name)).not.toContain('fetch-beacon')
    expect(await draw()).toMatchObject({ matched: 1 })
    expect((await receiptOf(request)).beacon).toBeNull()
    expect((await club.system.db.selectFrom('beaconChains').selectAll().execute()).length).toBe(0)
  })
})

describe('a receipt with a beacon', () => {
  const flip = (text: string) => (text.startsWith('0') ? '1' : '0') + text.slice(1)
  const shift = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()
  const changes: [what: string, (receipt: DrawReceipt) => void][] = [
    ['the round', ({ beacon }) => void (beacon!.round += 1)],
    [
      'the round, with its own value',
      ({ beacon }) => {
        beacon!.round += 1
        useValue(beacon!, beacon!.round)
      },
    ],
    [
      'the round and the time',
      ({ beacon }) => {
        beacon!.round -= 1
        beacon!.from = shift(beacon!.from, -3000)
        useValue(beacon!, beacon!.round)
      },
    ],
    ['the randomness', ({ beacon }) => void (beacon!.randomness = flip(beacon!.randomness!))],
    ['the value', ({ beacon }) => useValue(beacon!, beacon!.round - 1)],
    ['the key of the chain', ({ beacon }) => void (beacon!.chain.publicKey = flip(beacon!.chain.publicKey))],
    ['the start of the chain', ({ beacon }) => void (beacon!.chain.genesis -= 3)],
    ['the hash of the chain', ({ beacon }) => void (beacon!.chain.hash = flip(beacon!.chain.hash))],
    ['the value to none', ({ beacon }) => void Object.assign(beacon!, { signature: null, randomness: null })],
    ['the beacon to none at all', (receipt) => void (receipt.beacon = null)],
  ]

  function useValue(beacon: NonNullable<DrawReceipt['beacon']>, round: number) {
    const signature = Buffer.from(signRound(round))
    beacon.signature = signature.toString('hex')
    beacon.randomness = Buffer.from(beaconRandomness(signature)).toString('hex')
  }

  test('that was changed is found by the page and the script', async () => {
    const request = await asked()
    await wait(4)
    await fetchBeacon(club.system)
    await draw()
    const receipt = await receiptOf(request)
    for (const [what, change] of changes) {
      const copy = structuredClone(receipt)
      change(copy)
      const { page, script } = await faultsOf(copy)
      expect(page.length, `${what}, on the page`).toBeGreaterThan(0)
      expect(script, `${what}, by the script`).toBeGreaterThan(0)
    }
    const { ticket, nonce } = receipt
    const kept = { ...ticket, ticket: ticket.number, nonce }
    expect(checkKept(receipt, { ...kept, round: receipt.beacon!.round }).ok).toBe(true)
    expect(checkKept(receipt, { ...kept, round: receipt.beacon!.round - 1 }).ok).toBe(false)
    expect(checkKept(receipt, { ...kept, round: null }).ok).toBe(false)
  })

  test.each([
    ['chose another round', -1, '0 seconds'],
    ['counted the round from a later time', 1, '3 seconds'],
  ])('of a club that %s, and drew and hashed by it, is found', async (_, by, later) => {
    const request = await asked()
    const { productId } = request
    await wait(5)
    const round = (await roundOf(productId)) + by
    await sql`update review_queue set beacon_round = ${round}, beacon_from = beacon_from + ${later}::interval,
      beacon_signature = ${Buffer.from(signRound(round))}, lottery_key = ${await keyBy(productId, round)}
      where id = ${request.id}`.execute(club.system.db)
    await draw()
    const { page, script } = await faultsOf(await receiptOf(request))
    expect(page).toEqual(['beacon_round'])
    expect(script).toBe(1)
  })

  test('whose value the club made up is found by the page, and the script with the true round', async () => {
    const request = await asked()
    await wait(4)
    const round = await roundOf(request.productId)
    // The value of another round, so that the key and every hash follow from it.
    await sql`update review_queue set beacon_signature = ${Buffer.from(signRound(round - 1))}
      where id = ${request.id}`.execute(club.system.db)
    const { lotteryDay, lotteryTicket, lotteryNonce, beaconSignature } = await requestOf(
      club.system,
      request.productId,
    )
    const { rows } = await sql<{ secret: Buffer }>`
      select secret from lottery_days where day = ${String(lotteryDay)}`.execute(club.system.db)
    const own = { round, signature: beaconSignature }
    const key = Buffer.from(lotteryKey(rows[0]!.secret, BigInt(lotteryTicket), lotteryNonce, own))
    await sql`update review_queue set lottery_key = ${key} where id = ${request.id}`.execute(club.system.db)
    await draw()
    const receipt = await receiptOf(request)
    expect(await faultsOf(receipt)).toEqual({ page: ['beacon_value'], script: 0 })
    const truth = { round, signature: Buffer.from(signRound(round)).toString('hex') }
    expect((await faultsOf(receipt, truth)).script).toBe(1)
  })

  test('that hides a value as none, or states one that was not used, is found', async () => {
    server.manner = 'down'
    const request = await asked()
    await wait(20)
    await draw()
    const receipt = await receiptOf(request)
    const copy = structuredClone(receipt)
    useValue(copy.beacon!, copy.beacon!.round)
    const { page, script } = await faultsOf(copy)
    expect(page).toContain('draw')
    expect(script).toBeGreaterThan(0)
  })

  test('doesn’t agree with another value of the public beacon', async () => {
    const request = await asked()
    await wait(4)
    await fetchBeacon(club.system)
    await draw()
    const receipt = await receiptOf(request)
    const { round } = receipt.beacon!
    const published = { round, signature: Buffer.from(signRound(round - 1)).toString('hex') }
    expect((await faultsOf(receipt, published)).script).toBe(1)
  })
})
