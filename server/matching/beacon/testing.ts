import { sql } from 'kysely'
import { testChain } from '#sandbox/beacon/beacon.ts'
import type { BeaconServer } from '#sandbox/beacon/beacon.ts'
import { readConfig } from '#server/kit/config.ts'
import type { BeaconConfig } from '#server/kit/config.ts'
import type { Ctx } from '#server/kit/ctx.ts'

/** The settings of a club that uses the chain of tests from these servers, the first one first. */
export function beaconAt(...servers: BeaconServer[]): BeaconConfig {
  const { beacon } = readConfig({
    EVENHAND_MODE: 'demo',
    AUTH_SECRET: 'a-secret-for-tests-only-0123456789-abcdef',
    BEACON_URL: servers.map(({ address }) => address).join(', '),
    BEACON_CHAIN: JSON.stringify(testChain),
  })
  if (!beacon) throw new Error('A beacon is configured.')
  return beacon
}

/** Moves all requests with a round back by so many rounds of three seconds, as if that time had passed. */
export async function letRoundsPass({ db }: Ctx, rounds: number) {
  await sql`update review_queue set created_at = created_at - ${rounds} * interval '3 seconds',
    prio_at = prio_at - ${rounds} * interval '3 seconds',
    beacon_from = beacon_from - ${rounds} * interval '3 seconds', beacon_round = beacon_round - ${rounds}::int
    where beacon_round is not null`.execute(db)
}
