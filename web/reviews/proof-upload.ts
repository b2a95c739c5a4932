import { clientWithProgress } from '#web/client-with-progress.ts'

type ProofUpload = { id: string; file: File; paidCents: number }

/**
 * Sends a proof of purchase and tells how far it is, from 0 to 1. The same call as `client.reviews.proveByFile`.
 */
export function uploadProof(proof: ProofUpload, onProgress: (share: number) => void) {
  return clientWithProgress(onProgress).reviews.proveByFile(proof)
}
