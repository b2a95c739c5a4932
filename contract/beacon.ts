/**
 * A public randomness beacon: it publishes a signed random value, a round, at fixed times, and no one knows
 * a round before its time. A club may mix one into the lottery of its requests; it never needs it.
 *
 * - The beacon is drand. A chain is described by its key, its first round's time and its period. The hash of
 *   this description names the chain, so that no answer of a server has to be believed about it.
 * - Which round counts follows from the time at which a ticket is used: the first one that is published
 *   `beaconSeconds.lead` later or after that. So neither the seller nor the club chooses it, nor knows it.
 * - A value that does not come within `beaconSeconds.wait` is not used, and the evidence says so.
 *
 * beacon-signature.ts checks a value's signature; docs/checking-a-draw.md describes the bytes.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { sha256, whole } from './draw.ts'
import { beaconSeconds } from './matching-rules.ts'

/** A chain of the scheme `bls-unchained-g1-rfc9380`. Bytes are in hexadecimal. */
export type BeaconChain = {
  /** Of all that follows. */
  hash: string
  publicKey: string
  /** Seconds between two rounds. */
  period: number
  /** The time of round 1, in seconds since 1970. */
  genesis: number
  seed: string
  name: string
}

/** The chain of the League of Entropy with a round every three seconds. */
export const quicknet: BeaconChain = {
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c' +
    '8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb' +
    '5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  period: 3,
  genesis: 1_692_803_367,
  seed: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
  name: 'quicknet',
}

/** The hash that names a chain, in hexadecimal. */
export function chainHash({ period, genesis, publicKey, seed, name }: Omit<BeaconChain, 'hash'>): string {
  const text = new TextEncoder().encode(name)
  return bytesToHex(
    sha256(whole(period).subarray(4), whole(genesis), hexToBytes(publicKey), hexToBytes(seed), text),
  )
}

/** When a round is published, in milliseconds since 1970. */
export function roundTime({ genesis, period }: BeaconChain, round: number): number {
  return (genesis + (round - 1) * period) * 1000
}

/** The round that counts for a ticket that is used at this time. */
export function roundFor(chain: BeaconChain, usedAt: Date): number {
  const earliest = usedAt.getTime() + beaconSeconds.lead * 1000
  return Math.max(1, Math.ceil((earliest - chain.genesis * 1000) / (chain.period * 1000)) + 1)
}

/** Where a server of the beacon shows a round. */
export function roundAddress(server: string, { hash }: Pick<BeaconChain, 'hash'>, round: number | 'latest') {
  return `${server.replace(/\/$/, '')}/${hash}/public/${round}`
}

/** A server of the League of Entropy, where anyone can read the rounds of its chains. */
export const publicBeacon = 'https://api.drand.sh'
