// Workers that fetch the value of a round at once, and a draw beside them, on real connections.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roundFor } from '#contract/beacon.ts'
import { startBeaconServer } from '#sandbox/beacon/beacon.ts'
import type { BeaconServer } from '#sandbox/beacon/beacon.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { untilOneWaits } from '#server/testing/held-row.ts'
import { matchRequests } from '../pass.ts'
import { cancelRequest } from '../requests.ts'
import { addProductOf, askForReview, present, requestOf } from '../testing.ts'
import { beaconAt } from '#server/testing/beacon.ts'
import { letRoundsPass } from './testing.ts'
import { fetchBeacon } from './values.ts'

const club = useFreshClub({ max: 20 })
let server: BeaconServer
beforeAll(async () => {
  server = await startBeaconServer()
  club.config.beacon = beaconAt(server)
})
afterAll(() => server.close())

let count = 0
async function someone(): Promise<MemberCtx> {
  count += 1
  return club.newMember(`rounds-${count}`)
}

async function ask(seller: MemberCtx) {
  const productId = await addProductOf(seller, `rounds-${seller.who.id}`)
  return { ...(await askForReview(seller, productId)), seller }
}

test('workers that fetch at once, draws, and a request repeated meanwhile agree on every value', async () => {
  const members = await Promise.all(Array.from({ length: 10 }, someone))
  const requests = await Promise.all(members.slice(0, 6).map(ask))
  await letRoundsPass(club.system, 4)
  await present(...members)
  const [again] = requests
  async function repeat() {
    await cancelRequest(again!.seller, again!.id)
    await askForReview(again!.seller, again!.productId)
  }
  const work = Array.from({ length: 4 }, () => [fetchBeacon(club.system), matchRequests(club.system)])
  await Promise.all([...work.flat(), repeat()])
  // What was repeated after the last look is found by the job that its request sent.
  await fetchBeacon(club.system)
  await matchRequests(club.system)
  const { rows } = await sql<{ requests: number; drawn: number; missing: number }>`
    select count(*)::int as requests, count(*) filter (where status = 'offered')::int as drawn,
      count(*) filter (where beacon_signature is null)::int as missing
    from review_queue where beacon_round is not null`.execute(club.system.db)
  expect(rows[0]).toEqual({ requests: 7, drawn: 6, missing: 0 })
})

test('a value that is fetched while a request is being repeated reaches both', async () => {
  const request = await ask(await someone())
  await letRoundsPass(club.system, 4)
  const { fetching, again } = await inTransaction(request.seller, async (seller) => {
    await cancelRequest(seller, request.id)
    const again = await askForReview(seller, request.productId)
    const fetching = fetchBeacon(club.system)
    await untilOneWaits(club.system)
    return { fetching, again }
  })
  await fetching
  const { beaconSignature } = await requestOf(club.system, request.productId)
  expect(beaconSignature).not.toBeNull()
  await cancelRequest(request.seller, again.id)
})

test('a value that waits for a draw until its minute has passed is not mixed in', async () => {
  const request = await ask(await someone())
  const { rows } = await sql<{ from: string }>`
    select date_trunc('milliseconds', clock_timestamp() - interval '58 seconds') as from`.execute(
    club.system.db,
  )
  const from = new Date(rows[0]!.from)
  const round = roundFor(club.config.beacon!.chain, from)
  await sql`update review_queue set created_at = ${from}, prio_at = ${from}, beacon_from = ${from},
    beacon_round = ${round} where id = ${request.id}`.execute(club.system.db)
  const fetched = await inTransaction(club.system, async ({ db }) => {
    await sql`select from review_queue where id = ${request.id} for no key update`.execute(db)
    const fetching = fetchBeacon(club.system)
    await untilOneWaits(club.system)
    const over = sql`select where clock_timestamp() >= ${from}::timestamptz + interval '60 seconds'`
    while ((await over.execute(db)).rows.length === 0);
    return { fetching }
  })
  await fetched.fetching
  expect((await requestOf(club.system, request.productId)).beaconSignature).toBeNull()
  await cancelRequest(request.seller, request.id)
})
