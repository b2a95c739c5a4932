// The open streams of one web process. Only the event's row decides who receives it.
import type { ServerResponse } from 'node:http'
import { beat } from '#contract/live.ts'
import type { LiveMessage } from '#contract/live.ts'
import type { Wire } from './wire.ts'

const closeGraceMs = 1000
const queuedBytesLimit = 64 * 1024
const streamsPerMember = 5

export type Stream = { memberId: string; sessionId: string; res: ServerResponse }

/** A slow reader is cut off at 64 KB queued. A member's sixth stream closes their oldest one. */
type Streams = {
  /** Begins with `sync`, which makes the page fetch again everything it shows. */
  open(stream: Stream): void
  /** Sends a message to the streams of its recipients; `session.ended` ends the stream of that session. */
  send(wire: Wire): void
  /** Asks every page to fetch again everything it shows. */
  syncAll(): void
  /** Says that the stream lives, to the page and to each proxy on the way to it. */
  beat(): void
  /** Ends the streams whose login session `findLiveSessions` does not find. */
  endDeadSessions(findLiveSessions: (sessionIds: string[]) => Promise<Set<string>>): Promise<void>
  /** Ends all streams. The pages connect again after `retryMs`. */
  closeAll(retryMs: number): void
  count(): number
}

export function newStreams(): Streams {
  const byMember = new Map<string, Set<Stream>>()
  const all = () => [...byMember.values()].flatMap((streams) => [...streams])

  function add(stream: Stream) {
    const ofMember = byMember.get(stream.memberId) ?? new Set<Stream>()
    byMember.set(stream.memberId, ofMember)
    ofMember.add(stream)
    const [oldest] = ofMember
    if (ofMember.size > streamsPerMember && oldest) close(oldest)
    stream.res.on('close', () => remove(stream))
  }

  function remove(stream: Stream) {
    const ofMember = byMember.get(stream.memberId)
    ofMember?.delete(stream)
    if (ofMember?.size === 0) byMember.delete(stream.memberId)
  }

  function close(stream: Stream) {
    stream.res.end()
    remove(stream)
    // A page that has stopped reading does not notice the end of the stream either.
    const cut = setTimeout(() => stream.res.destroy(), closeGraceMs)
    cut.unref()
    stream.res.on('close', () => clearTimeout(cut))
  }

  return {
    open(stream) {
      add(stream)
      stream.res.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      })
      stream.res.write(`retry: 1000\n${syncText}`)
    },
    send({ recipients, ...message }) {
      const text = textOf(message)
      for (const stream of recipients.flatMap((memberId) => [...(byMember.get(memberId) ?? [])])) {
        write(stream, text)
        if (message.name === 'session.ended' && message.ids.sessionId === stream.sessionId) close(stream)
      }
    },
    syncAll() {
      for (const stream of all()) write(stream, syncText)
    },
    beat() {
      for (const stream of all()) write(stream, beatText)
    },
    async endDeadSessions(findLiveSessions) {
      const open = all()
      if (open.length === 0) return
      const alive = await findLiveSessions([...new Set(open.map(({ sessionId }) => sessionId))])
      for (const stream of open.filter(({ sessionId }) => !alive.has(sessionId))) {
        // No event announced the end of this session, so the page gets it here.
        write(stream, textOf({ name: 'session.ended', ids: { sessionId: stream.sessionId } }))
        close(stream)
      }
    },
    closeAll(retryMs) {
      for (const stream of all()) {
        stream.res.write(`retry: ${retryMs}\n\n`)
        close(stream)
      }
    },
    count: () => all().length,
  }
}

function write(stream: Stream, text: string) {
  if (stream.res.writableLength > queuedBytesLimit) stream.res.destroy()
  else stream.res.write(text)
}

function textOf(message: LiveMessage) {
  return `data: ${JSON.stringify(message)}\n\n`
}

const beatText = `event: ${beat.type}\ndata: {}\n\n`
const syncText = textOf({ name: 'sync', ids: {} })
