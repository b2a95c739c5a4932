// Imitates the servers of drand, a public randomness beacon, with a chain of its own that signs for real. For
// tests: who has its key knows every value.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bls12_381 } from '@noble/curves/bls12-381.js'

const { shortSignatures } = bls12_381
const secretKey = Buffer.alloc(32, 7)

/** A chain with a round every three seconds since 2026, as its servers describe it. */
export const testChain = describeChain({
  public_key: hex(shortSignatures.getPublicKey(secretKey).toBytes()),
  period: 3,
  genesis_time: Date.parse('2026-01-01T00:00:00Z') / 1000,
  groupHash: '5e'.repeat(32),
  schemeID: 'bls-unchained-g1-rfc9380',
  metadata: { beaconID: 'evenhand-test' },
})

type Described = {
  public_key: string
  period: number
  genesis_time: number
  groupHash: string
  schemeID: string
  metadata: { beaconID: string }
}

function describeChain(chain: Described) {
  const numbers = Buffer.alloc(12)
  numbers.writeUInt32BE(chain.period)
  numbers.writeBigInt64BE(BigInt(chain.genesis_time), 4)
  const { beaconID } = chain.metadata
  const bytes = [numbers, Buffer.from(chain.public_key + chain.groupHash, 'hex'), Buffer.from(beaconID)]
  return { ...chain, hash: hex(sha256(Buffer.concat(bytes))) }
}

/** The signature of a round of the chain of tests. */
export function signRound(round: number): Uint8Array {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(round))
  const message = shortSignatures.hash(sha256(number), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_')
  return shortSignatures.sign(message, secretKey).toBytes()
}

/**
 * How a server answers: as it should, with a fault, never, with another round's value under the asked number,
 * with the round after the asked one, by leading elsewhere, or with far too much.
 */
type Manner = 'honest' | 'down' | 'hangs' | 'lies' | 'later' | 'redirects' | 'floods'

export type BeaconServer = {
  address: string
  /** The paths that were asked for. */
  asked: string[]
  manner: Manner
  /** By how many seconds its clock is ahead. */
  aheadSeconds: number
  close(): Promise<void>
}

/** Starts a server of the chain on this machine. `leadsTo`: where it redirects to. */
export async function startBeaconServer({ leadsTo = '' }: { leadsTo?: string } = {}): Promise<BeaconServer> {
  const http = createServer((request, response) => {
    server.asked.push(request.url ?? '')
    answer(server, leadsTo, request.url ?? '', response)
  })
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve)
  })
  const server: BeaconServer = {
    address: `http://127.0.0.1:${portOf(http)}`,
    asked: [],
    manner: 'honest',
    aheadSeconds: 0,
    close: () => close(http),
  }
  return server
}

function answer({ manner, aheadSeconds }: BeaconServer, leadsTo: string, path: string, to: ServerResponse) {
  const [, hash, , asked] = path.split('/')
  const latest =
    Math.floor((Date.now() / 1000 + aheadSeconds - testChain.genesis_time) / testChain.period) + 1
  const round = asked === 'latest' ? latest : Number(asked)
  if (manner === 'hangs') return
  if (manner === 'down') return void to.writeHead(503).end()
  if (manner === 'redirects') return void to.writeHead(302, { location: leadsTo + path }).end()
  if (hash !== testChain.hash || round > latest) return void to.writeHead(404).end()
  const shown = manner === 'later' ? round + 1 : round
  const signature = signRound(manner === 'lies' ? round - 1 : shown)
  to.writeHead(200, { 'content-type': 'application/json' })
  const text = JSON.stringify({ round: shown, randomness: hex(sha256(signature)), signature: hex(signature) })
  to.end(manner === 'floods' ? text.padEnd(10_000_000) : text)
}

function sha256(bytes: Uint8Array) {
  return createHash('sha256').update(bytes).digest()
}

function hex(bytes: Uint8Array) {
  return Buffer.from(bytes).toString('hex')
}

function portOf(server: Server) {
  // It listens on a port.
  return (server.address() as AddressInfo).port
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
