import type pg from 'pg'

/** How a connection is opened that waits for hours: for notifications, or with a lock. */
export const waitingConnection = { keepAlive: true, connectionTimeoutMillis: 5000 }

/** Ends a connection, which may be lost already. */
export function endConnection(client: pg.Client) {
  return client.end().catch(() => {})
}

export function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
