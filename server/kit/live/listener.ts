import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { nameOf } from '#server/kit/db/primary.ts'
import type { Log } from '#server/kit/log.ts'
import { endConnection, pause, waitingConnection } from './connection.ts'
import { channel, readWire } from './wire.ts'
import type { Wire } from './wire.ts'

const retryMs = 300

type Listener = { stop(): Promise<void> }

/** Listens to the relay until it is stopped, and connects again whenever the connection is lost. */
export function startListener(
  connection: Connection,
  log: Log,
  on: {
    message: (wire: Wire) => void
    /** Called when it starts to listen. Earlier messages are missed. */
    connected: () => void
  },
): Listener {
  let stopped = false
  let current: DatabaseClient | null = null
  let isAway = false

  async function listen() {
    const client = new DatabaseClient({
      ...connection,
      ...waitingConnection,
      application_name: 'evenhand-live',
    })
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', ({ payload }) => {
      const wire = readWire(payload)
      if (wire) on.message(wire)
      else log.warn('a live message could not be read')
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      if (isAway) log.info({ at: nameOf(client) }, 'live updates have the database again')
      isAway = false
      on.connected()
      current = client
      if (!stopped) await lost
    } finally {
      current = null
      await endConnection(client)
    }
  }

  async function keepListening() {
    while (!stopped) {
      try {
        await listen()
      } catch (err) {
        // Once for each failure of the database, however long it lasts.
        if (!isAway) log.warn({ err }, 'live updates lost the database and will reconnect')
        isAway = true
      }
      if (!stopped) await pause(retryMs)
    }
  }

  const listening = keepListening()
  return {
    async stop() {
      stopped = true
      if (current) await endConnection(current)
      await listening
    },
  }
}
