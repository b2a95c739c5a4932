import type pg from 'pg'
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Log } from '#server/kit/log.ts'
import { endConnection, pause, waitingConnection } from './connection.ts'

const standbyMs = 1000

/**
 * The right to be the club's only relay: a session-level advisory lock, held while its connection is open.
 */
type Lead = {
  /** The connection that holds the lock. Null while another relay leads, or after the connection is lost. */
  client(): pg.Client | null
  /** Waits until we have the lock, or until `isStopping`. */
  take(isStopping: () => boolean): Promise<void>
  resign(): Promise<void>
}

export function newLead(connection: Connection, log: Log): Lead {
  let holder: pg.Client | null = null

  return {
    client: () => holder,
    async take(isStopping) {
      const client = new DatabaseClient({
        ...connection,
        ...waitingConnection,
        application_name: 'evenhand-relay',
      })
      client.on('error', (err) => {
        log.warn({ err }, 'the relay lost its connection')
        if (holder === client) holder = null
      })
      try {
        await client.connect()
        while (!isStopping() && !holder) {
          if (await tryLock(client)) holder = client
          else await pause(standbyMs)
        }
      } finally {
        if (holder !== client) await endConnection(client)
      }
    },
    /** Ending the connection releases the lock. */
    async resign() {
      const client = holder
      holder = null
      if (client) await endConnection(client)
    },
  }
}

async function tryLock(client: pg.Client) {
  const { rows } = await client.query<{ mine: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('evenhand:relay', 0)) as mine`,
  )
  return rows[0]?.mine ?? false
}
