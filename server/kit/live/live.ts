import { beat } from '#contract/live.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { isDatabaseDown } from '#server/kit/db/db.ts'
import type { Log } from '#server/kit/log.ts'
import { startListener } from './listener.ts'
import { newStreams } from './streams.ts'
import type { Stream } from './streams.ts'

const sessionCheckMs = 4000
const retryMs = 1000

export type Live = {
  open(stream: Stream): void
  count(): number
  stop(): Promise<void>
}

/**
 * Live updates in one web process: the listener's messages are sent to the streams of their recipients. A
 * stream ends with its login session, either by `session.ended` or by a check every 4 seconds.
 */
export function openLive(
  connection: Connection,
  log: Log,
  findLiveSessions: (sessionIds: string[]) => Promise<Set<string>>,
): Live {
  const streams = newStreams()
  // Messages sent without a listener are lost, so every page fetches its data again on connection.
  const listener = startListener(connection, log, { message: streams.send, connected: streams.syncAll })
  const beats = setInterval(() => streams.beat(), beat.everySeconds * 1000)
  const sessionCheck = setInterval(
    () =>
      void streams.endDeadSessions(findLiveSessions).catch((err: unknown) => {
        if (!isDatabaseDown(err)) log.error({ err }, 'the streams of ended sessions could not be ended')
      }),
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
      clearInterval(beats)
      clearInterval(sessionCheck)
      streams.closeAll(retryMs)
      await listener.stop()
    },
  }
}
