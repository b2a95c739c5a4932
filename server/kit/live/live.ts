import type { Connection } from '#server/kit/db/connection.ts'
import type { Log } from '#server/kit/log.ts'
import { startListener } from './listener.ts'
import { newStreams } from './streams.ts'
import type { Stream } from './streams.ts'

const beatMs = 20_000
const sessionCheckMs = 4000
const retryMs = 1000

export type Live = {
  open(stream: Stream): void
  count(): number
  stop(): Promise<void>
}

/**
 * Live updates in one web process: what the listener receives goes to the streams of its recipients. A stream
 * ends with its login session: by its event, or by the check every 4 seconds.
 */
export function openLive(
  connection: Connection,
  log: Log,
  findLiveSessions: (sessionIds: string[]) => Promise<Set<string>>,
): Live {
  const streams = newStreams()
  // Pages make up for what was sent while nothing listened by asking again.
  const listener = startListener(connection, log, { message: streams.send, connected: streams.syncAll })
  const beat = setInterval(() => streams.beat(), beatMs)
  const sessionCheck = setInterval(
    () => void streams.endDeadSessions(findLiveSessions).catch(() => {}),
    sessionCheckMs,
  )
  let stopped = false

  return {
    open(stream) {
      if (stopped) stream.res.writeHead(503, { 'retry-after': '1' }).end()
      else streams.open(stream)
    },
    count: streams.count,
    async stop() {
      stopped = true
      clearInterval(beat)
      clearInterval(sessionCheck)
      streams.closeAll(retryMs)
      await listener.stop()
    },
  }
}
