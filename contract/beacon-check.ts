// Checks the beacon's part in a receipt. scripts/verify-draw.mjs makes the same check on its own, but for the
// signature.
import { chainHash, quicknet, roundFor } from './beacon.ts'
import { isSigned } from './beacon-signature.ts'
import { beaconRandomness } from './draw.ts'
import { bytesOf, hexOf } from './draw-receipt.ts'
import type { CheckStep, DrawReceipt, ReceiptBeacon } from './draw-receipt.ts'
import { beaconSeconds } from './matching-rules.ts'

/** Checks the round and its value; nothing where the club mixed no beacon into the ticket. */
export function checkBeacon({ beacon, ...receipt }: DrawReceipt): CheckStep[] {
  return beacon ? [checkRound(beacon, receipt), checkValue(beacon, receipt)] : []
}

type Rest = Omit<DrawReceipt, 'beacon'>

function checkRound({ chain, from, round }: ReceiptBeacon, { ticket, askedAt }: Rest): CheckStep {
  const isNamed = chainHash(chain) === chain.hash
  const isFirst = roundFor(chain, new Date(from)) === round
  const isInTime = Date.parse(from) <= Date.parse(askedAt) && from.slice(0, 10) === ticket.day
  return {
    name: 'beacon_round',
    ok: isNamed && isFirst && isInTime,
    text: !isNamed
      ? 'The hash of the beacon’s chain doesn’t follow from its key, its start and its period.'
      : !isInTime
        ? 'The time from which the round was counted isn’t one at which this ticket could be used.'
        : isFirst
          ? `Round ${round} is the first one that was due ${beaconSeconds.lead} seconds after the ticket ` +
            `was used or later, so no one could choose it. ${whoseChain(chain)}`
          : `Round ${roundFor(chain, new Date(from))} had to count, and not round ${round}.`,
  }
}

/** Whether a chain is the public one of the League of Entropy, which no one has the key of. */
export function isPublic({ hash }: ReceiptBeacon['chain']): boolean {
  return hash === quicknet.hash
}

function whoseChain(chain: ReceiptBeacon['chain']): string {
  return isPublic(chain)
    ? 'The chain is the public one of the League of Entropy.'
    : 'The chain isn’t the public one of the League of Entropy. ' +
        'Find out who runs it: they could know the value.'
}

function checkValue({ chain, from, round, signature, randomness }: ReceiptBeacon, receipt: Rest): CheckStep {
  const name = 'beacon_value'
  if (signature === null) {
    const isAwaited = Date.parse(receipt.issuedAt) < Date.parse(from) + beaconSeconds.wait * 1000
    if (isAwaited && receipt.draws.length === 0)
      return { name, ok: null, text: 'The value of the round is still awaited.' }
    return {
      name,
      ok: randomness === null,
      text:
        randomness !== null
          ? 'The receipt has a random value without its signature.'
          : `No beacon: its value didn’t reach the club within ${beaconSeconds.wait} seconds, so the key ` +
            'was made without it. You can look up whether the beacon published it in time.',
    }
  }
  const isHash = randomness === hexOf(beaconRandomness(bytesOf(signature)))
  const ok = isHash && isSigned(chain, round, bytesOf(signature))
  return {
    name,
    ok,
    text: ok
      ? 'The chain’s key signed this round, and the random value is the hash of the signature. ' +
        'There is only one such signature. ' +
        (isPublic(chain)
          ? 'So the club couldn’t make or choose it.'
          : 'Anyone with the key could make it early.')
      : isHash
        ? 'The signature isn’t the one of the chain for this round.'
        : 'The random value isn’t the hash of the signature.',
  }
}
