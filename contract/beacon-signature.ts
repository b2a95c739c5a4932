// Checks the signature of a beacon's round. It is apart since the curve is large: only what checks loads it.
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import type { BeaconChain } from './beacon.ts'
import { sha256, whole } from './draw.ts'

const { shortSignatures } = bls12_381

/** Whether a chain signed this round. Bytes that are no signature and a key that is none make it false. */
export function isSigned({ publicKey }: BeaconChain, round: number, signature: Uint8Array): boolean {
  try {
    return shortSignatures.verify(signature, roundMessage(round), hexToBytes(publicKey))
  } catch {
    return false
  }
}

/** What a chain signs for a round, as a point of the curve. */
function roundMessage(round: number) {
  return shortSignatures.hash(sha256(whole(round)), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_')
}
