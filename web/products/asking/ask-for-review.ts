import { keptDrawsKey, readKeptDraws } from '#contract/kept-draws.ts'
import type { KeptDraw } from '#contract/kept-draws.ts'
import type { ReviewRequest } from '#contract/matching.ts'
import { client } from '#web/api.ts'
import { keepOnDevice, readFromDevice } from '#web/kit/tab-storage.ts'

/**
 * Asks for a review in two steps: the club commits to a ticket, then this browser sends a random nonce. So
 * neither of them chooses the lottery. The browser keeps a copy, to compare with the receipt later.
 */
export async function askForReview(productId: string): Promise<ReviewRequest> {
  const { ticket, commitment, day, dayHash, keptNonce } = await client.matching.takeTicket({ productId })
  const nonce = keptNonce ?? randomNonce()
  const request = await client.matching.requestReview({ productId, ticket, nonce })
  keepDraw(request.id, { ticket, commitment, nonce, day, dayHash, round: request.beaconRound })
  return request
}

const mostKept = 50

function keepDraw(request: string, draw: KeptDraw) {
  const others = readKeptDraws(readFromDevice(keptDrawsKey)).filter(([id]) => id !== request)
  keepOnDevice(keptDrawsKey, JSON.stringify([...others, [request, draw]].slice(-mostKept)))
}

function randomNonce() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
