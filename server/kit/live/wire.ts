import { readLiveMessage } from '#contract/live.ts'
import type { LiveMessage } from '#contract/live.ts'

export const channel = 'live'

/** The payload of one NOTIFY: a message and some of its recipients. */
export type Wire = LiveMessage & { recipients: string[] }

// PostgreSQL takes 8,000 bytes in a notification; an id with its quotes is 39.
const recipientsPerNotification = 150

/** The payloads that notify all recipients of an event. */
export function payloadsOf({ name, ids, recipients }: Wire): string[] {
  const payloads: string[] = []
  for (let at = 0; at < recipients.length; at += recipientsPerNotification) {
    payloads.push(
      JSON.stringify({ name, ids, recipients: recipients.slice(at, at + recipientsPerNotification) }),
    )
  }
  return payloads
}

/**
 * Reads a payload. Returns null for anything that is not one of our messages, because every database
 * connection may write to the channel.
 */
export function readWire(payload: string | undefined): Wire | null {
  const wire = parse(payload ?? '')
  const message = readLiveMessage(wire)
  if (!message || typeof wire !== 'object' || wire === null || !('recipients' in wire)) return null
  const { recipients } = wire
  return Array.isArray(recipients) && recipients.every((id) => typeof id === 'string')
    ? { ...message, recipients }
    : null
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return null
  }
}
