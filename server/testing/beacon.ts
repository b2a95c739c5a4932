// A beacon of tests: the chain of the sandbox, whose secret key is known.
import { testChain } from '#sandbox/beacon/beacon.ts'
import type { BeaconServer } from '#sandbox/beacon/beacon.ts'
import { readConfig } from '#server/kit/config.ts'
import type { BeaconConfig } from '#server/kit/config.ts'

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
