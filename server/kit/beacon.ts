// Fetches rounds of a public randomness beacon (drand). No answer is believed: a round counts only with the
// signature of its chain, so a server can withhold a value and nothing else.
import { z } from 'zod'
import { roundAddress } from '#contract/beacon.ts'
import { isSigned } from '#contract/beacon-signature.ts'
import type { BeaconConfig } from './config.ts'
import type { Log } from './log.ts'
import { outcomeOfStatus, timePartner } from './observe/metrics.ts'

export type BeaconRound = { round: number; signature: Buffer }

const mostBytes = 4096

const answered = z.object({ round: z.int().positive(), signature: z.string().regex(/^[0-9a-f]{96}$/) })

/**
 * A round of the chain, or its latest one, from the first server that has it; null when none does. Follows no
 * redirect, so that a server cannot lead elsewhere. Takes at most 4 seconds for each server.
 */
export async function fetchRound(
  { chain, servers }: BeaconConfig,
  wanted: number | 'latest',
  { log, patienceMs = 4000 }: { log: Log; patienceMs?: number },
): Promise<BeaconRound | null> {
  for (const server of servers) {
    try {
      const { round, signature } = answered.parse(await ask(roundAddress(server, chain, wanted), patienceMs))
      const value = Buffer.from(signature, 'hex')
      if (wanted !== 'latest' && round !== wanted) throw new Error(`It answered round ${round}.`)
      if (!isSigned(chain, round, value)) throw new Error('It answered a value without a valid signature.')
      return { round, signature: value }
    } catch (err) {
      log.warn({ err, server, wanted }, 'a server of the beacon gave no usable answer')
    }
  }
  return null
}

async function ask(address: string, patienceMs: number): Promise<unknown> {
  const send = () => fetch(address, { redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
  const answer = await timePartner('beacon', send, { ofAnswer: ({ status }) => outcomeOfStatus(status) })
  if (!answer.ok) {
    await answer.body?.cancel()
    throw new Error(`It answered ${answer.status}.`)
  }
  return JSON.parse(await readShort(answer))
}

/** The text of an answer. A long one is not read to its end. */
async function readShort(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the answer.
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > mostBytes) throw new Error('It answered too much.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
