// The client of the public beacon against servers that answer as they should, or as an attacker would.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chainHash, quicknet } from '#contract/beacon.ts'
import { isSigned } from '#contract/beacon-signature.ts'
import { beaconRandomness } from '#contract/draw.ts'
import { hexOf } from '#contract/draw-receipt.ts'
import { signRound, startBeaconServer, testChain } from '#sandbox/beacon/beacon.ts'
import type { BeaconServer } from '#sandbox/beacon/beacon.ts'
import { beaconAt } from '#server/testing/beacon.ts'
import { fetchRound } from './beacon.ts'
import { openLog } from './log.ts'

const log = openLog('test', 'silent')
let one: BeaconServer
let two: BeaconServer
beforeEach(async () => {
  two = await startBeaconServer()
  one = await startBeaconServer({ leadsTo: two.address })
})
afterEach(() => Promise.all([one.close(), two.close()]))

const round = 1_000_000
const fetched = (...servers: BeaconServer[]) =>
  fetchRound(beaconAt(...servers), round, { log, patienceMs: 1500 })

describe('the chain of the League of Entropy', () => {
  test('has the hash of its description, and signed rounds that anyone can look up', () => {
    expect(chainHash(quicknet)).toBe(quicknet.hash)
    const known = [
      [
        1000,
        'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
        'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
      ],
      [
        123,
        'b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92',
        'fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc',
      ],
    ] as const
    for (const [round, text, randomness] of known) {
      const signature = Buffer.from(text, 'hex')
      expect(isSigned(quicknet, round, signature)).toBe(true)
      expect(isSigned(quicknet, round + 1, signature)).toBe(false)
      expect(hexOf(beaconRandomness(signature))).toBe(randomness)
    }
  })
})

describe('a round', () => {
  test('is fetched by its number, or as the latest one, and its signature is checked', async () => {
    expect(await fetched(one)).toEqual({ round, signature: Buffer.from(signRound(round)) })
    expect(one.asked).toEqual([`/${testChain.hash}/public/${round}`])
    const latest = await fetchRound(beaconAt(one), 'latest', { log })
    expect(latest?.signature).toEqual(Buffer.from(signRound(latest?.round ?? 0)))
  })

  test.each(['down', 'hangs', 'lies', 'later', 'floods'] as const)(
    'of a server that %s is taken from the next one, and is missing where there is none',
    async (manner) => {
      one.manner = manner
      expect(await fetched(one)).toBeNull()
      expect(await fetched(one, two)).toEqual({ round, signature: Buffer.from(signRound(round)) })
    },
  )

  test('is not fetched where a server leads to', async () => {
    one.manner = 'redirects'
    expect(await fetched(one)).toBeNull()
    expect(one.asked).toHaveLength(1)
    expect(two.asked).toEqual([])
  })

  test('that is not published yet is missing, and so is one of a server that is away', async () => {
    expect(await fetchRound(beaconAt(one), 1_000_000_000, { log })).toBeNull()
    await one.close()
    expect(await fetched(one)).toBeNull()
  })
})
