// The round of a public beacon that is mixed into a ticket. It follows from the time at which the ticket is
// used first. Until its value is there, or a minute has passed, the request is not drawn.
import { sql } from 'kysely'
import { roundFor, roundTime } from '#contract/beacon.ts'
import type { BeaconChain } from '#contract/beacon.ts'
import type { DrawBeacon } from '#contract/draw.ts'
import { beaconSeconds } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { databaseNow } from '#server/kit/db/db.ts'

/** What the lottery and its evidence read of the beacon. */
export type BeaconColumns = {
  beaconFrom: string | null
  beaconRound: string | null
  beaconSignature: Buffer | null
}
/** The beacon's part in a ticket, as the row of its request stores it. All null: none is mixed in. */
export type TicketBeacon = BeaconColumns & { beaconChain: Buffer | null }

/** In SQL: the time since which a ticket may have been used whose value still counts. Read once. */
const earliest = sql`(select clock_timestamp() - make_interval(secs => ${sql.lit(beaconSeconds.wait)}))`

/** In SQL: whether the request `q` waits for the value of its round. */
export const awaitsBeacon = sql<boolean>`(q.beacon_round is not null and q.beacon_signature is null
  and q.beacon_from > ${earliest})`

/** The round that counts for a ticket that is used now. Where the club uses no beacon it asks nothing. */
export async function expectRound(ctx: Ctx): Promise<TicketBeacon> {
  const { beacon } = ctx.config
  if (!beacon) return { beaconChain: null, beaconFrom: null, beaconRound: null, beaconSignature: null }
  // The evidence hashes milliseconds, so the time has no more.
  const from = new Date(await databaseNow(ctx))
  await keepChain(ctx, beacon.chain)
  return {
    beaconChain: Buffer.from(beacon.chain.hash, 'hex'),
    beaconFrom: from.toISOString(),
    beaconRound: String(roundFor(beacon.chain, from)),
    beaconSignature: null,
  }
}

async function keepChain(ctx: Ctx, { hash, publicKey, period, genesis, seed, name }: BeaconChain) {
  const bytes = (text: string) => Buffer.from(text, 'hex')
  await sql`insert into beacon_chains (hash, public_key, period, genesis, seed, name)
    values (${bytes(hash)}, ${bytes(publicKey)}, ${period}, ${genesis}, ${bytes(seed)}, ${name})
    on conflict do nothing`.execute(ctx.db)
}

/** The beacon's part in a draw, of the row of its request. */
export function beaconOf({ beaconFrom, beaconRound, beaconSignature }: BeaconColumns): DrawBeacon | null {
  if (beaconFrom === null || beaconRound === null) return null
  return { from: new Date(beaconFrom), round: Number(beaconRound), signature: beaconSignature }
}

/** Has the value of a ticket fetched once its round is published, if it still waits for it. */
export async function askForValue(ctx: Ctx, { beaconRound, beaconSignature }: TicketBeacon) {
  const { beacon } = ctx.config
  if (!beacon || beaconRound === null || beaconSignature !== null) return
  const publishedMs = roundTime(beacon.chain, Number(beaconRound)) + 500
  await ctx.kit.jobs.send(ctx, 'fetch-beacon', {}, { notBefore: new Date(publishedMs) })
}
