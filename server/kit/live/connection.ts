import type pg from 'pg'

/** Options of a connection that stays open for hours: to receive notifications, or to hold a lock. */
export const waitingConnection = { connectionTimeoutMillis: 5000 }

/** Ends a connection. Changes nothing when it is already lost. */
export function endConnection(client: pg.Client) {
  return client.end().catch(() => {})
}

export function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
