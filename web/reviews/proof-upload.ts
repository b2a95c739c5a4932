import { clientWithProgress } from '#web/client-with-progress.ts'

type ProofUpload = { id: string; file: File; paidCents: number }

/** Calls `client.reviews.proveByFile` and reports the upload's progress, from 0 to 1. */
export function uploadProof(proof: ProofUpload, onProgress: (share: number) => void) {
  return clientWithProgress(onProgress).reviews.proveByFile(proof)
}
