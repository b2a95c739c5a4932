import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { beat, readLiveMessage } from '#contract/live.ts'
import type { EventIds, EventName, LiveMessage } from '#contract/live.ts'
import { openChannel } from './channel.ts'

/*
 * Live events: one stream of names and ids for all tabs of a browser. The tab with the lock opens the stream
 * and sends each message to the others; when it closes, another tab gets the lock. Messages carry no data, so
 * pages refetch it.
 */

/** For each event, the keys of a module's queries that it makes out of date. */
export type RefetchOn = { [N in EventName]?: (ids: EventIds<N>) => readonly (readonly unknown[])[] }

type LiveStatus = 'connecting' | 'open' | 'lost'
type Handler = (message: LiveMessage) => void

/** The browser's features that the stream uses, so that tests can replace them. */
export type LiveParts = {
  openSource: () => EventSource
  channel: Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'> | null
  /** Runs `hold` once this tab is the leader, until `signal` aborts. */
  lead: (hold: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) => Promise<void>
  after: (milliseconds: number, action: () => void) => () => void
  /** From 0 up to 1. */
  random: () => number
}

type Live = {
  onMessage: (handler: Handler) => () => void
  onStatus: (changed: () => void) => () => void
  status: () => LiveStatus
  stop: () => void
}

/**
 * Spreads the reconnects of many browsers after a restart: first over 5 s, after repeated failures up to 30
 * s.
 */
const spreadMs = 5_000
const longestSpreadMs = 30_000
/** A stream that says nothing for so long is dead, as after a change of network. */
const longestSilenceMs = 2.5 * beat.everySeconds * 1_000

/**
 * Starts listening. All browsers get a `sync` at once, so any after a stream's first waits a random 0 to 5 s.
 */
export function startStream(parts: LiveParts): Live {
  const handlers = new Set<Handler>()
  const watchers = new Set<() => void>()
  const ended = new AbortController()
  let status: LiveStatus = 'connecting'
  let leads = false

  function setStatus(next: LiveStatus) {
    if (next === status) return
    status = next
    for (const watcher of watchers) watcher()
  }

  function deliver(message: LiveMessage) {
    for (const handler of handlers) handler(message)
  }

  function notifyTabs(update: { status: LiveStatus } | { message: LiveMessage }) {
    parts.channel?.postMessage(update)
  }

  if (parts.channel) {
    parts.channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (ended.signal.aborted || typeof data !== 'object' || data === null) return
      if ('ask' in data && leads) notifyTabs({ status })
      if ('status' in data && !leads && isStatus(data.status)) setStatus(data.status)
      const message = 'message' in data && !leads ? readLiveMessage(data.message) : null
      if (message) deliver(message)
    }
    parts.channel.postMessage({ ask: 'status' })
  }

  function hold(signal: AbortSignal): Promise<void> {
    // The lock may be granted at the same moment as the abort.
    if (signal.aborted) return Promise.resolve()
    leads = true
    return new Promise((done) => {
      const close = holdStream(
        parts,
        (next) => {
          setStatus(next)
          notifyTabs({ status: next })
        },
        (message) => {
          deliver(message)
          notifyTabs({ message })
        },
      )
      signal.addEventListener('abort', () => {
        close()
        leads = false
        done()
      })
    })
  }

  // `stop` aborts the wait for the lock, which then rejects.
  parts.lead(hold, ended.signal).catch(() => undefined)

  return {
    onMessage: (handler) => {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    onStatus: (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    status: () => status,
    stop: () => {
      ended.abort()
      parts.channel?.close()
    },
  }
}

/** Keeps one stream open; reopens it when it is lost or silent. Returns a function that closes it. */
function holdStream(
  parts: LiveParts,
  onStatus: (status: LiveStatus) => void,
  onMessage: Handler,
): () => void {
  let source: EventSource | undefined
  let failures = 0
  const waiting = new Set<() => void>()

  /** Returns what makes it not happen. */
  function later(milliseconds: number, action: () => void): () => void {
    const cancel = parts.after(milliseconds, () => {
      waiting.delete(cancel)
      action()
    })
    waiting.add(cancel)
    return () => {
      waiting.delete(cancel)
      cancel()
    }
  }

  function open() {
    let synced = false
    const stream = parts.openSource()
    source = stream
    let stopWaiting = later(longestSilenceMs, lose)

    function restartSilence() {
      stopWaiting()
      stopWaiting = later(longestSilenceMs, lose)
    }

    function lose() {
      stopWaiting()
      onStatus('lost')
      // Browsers would all reconnect after the same delay; our own delay is random.
      stream.close()
      failures += 1
      later(parts.random() * Math.min(longestSpreadMs, spreadMs * failures), open)
    }

    const receive = (message: LiveMessage) => {
      if (message.name !== 'sync') return onMessage(message)
      if (synced) later(parts.random() * spreadMs, () => onMessage(message))
      else onMessage(message)
      synced = true
    }
    stream.onopen = () => {
      restartSilence()
      failures = 0
      onStatus('open')
    }
    stream.onmessage = (event: MessageEvent<unknown>) => {
      restartSilence()
      const message = parse(event.data)
      if (message) receive(message)
    }
    stream.addEventListener(beat.type, restartSilence)
    stream.onerror = lose
  }

  open()
  return () => {
    source?.close()
    for (const cancel of waiting) cancel()
  }
}

function parse(data: unknown): LiveMessage | null {
  if (typeof data !== 'string') return null
  try {
    return readLiveMessage(JSON.parse(data))
  } catch {
    return null
  }
}

function isStatus(value: unknown): value is LiveStatus {
  return value === 'connecting' || value === 'open' || value === 'lost'
}

function browserParts(url: string): LiveParts {
  const channel = openChannel('evenhand-live')
  return {
    openSource: () => new EventSource(url, { withCredentials: true }),
    channel,
    lead: async (hold, signal) => {
      // Without locks or a channel, every tab opens its own stream.
      if (channel === null || !('locks' in navigator)) return hold(signal)
      await navigator.locks.request('evenhand-live', { signal }, () => hold(signal))
    },
    after: (milliseconds, action) => {
      const timer = setTimeout(action, milliseconds)
      return () => clearTimeout(timer)
    },
    random: Math.random,
  }
}

let current: Live | null = null
const handlers = new Set<Handler>()
const watchers = new Set<() => void>()

/**
 * Starts the stream of a signed-in member. Returns a function that stops it. A second start replaces the
 * first.
 */
export function startLive(url = '/api/events'): () => void {
  current?.stop()
  const live = startStream(browserParts(url))
  current = live
  live.onMessage((message) => {
    for (const handler of handlers) handler(message)
  })
  live.onStatus(() => {
    for (const watcher of watchers) watcher()
  })
  return () => {
    live.stop()
    if (current === live) current = null
  }
}

/** Calls `handler` with every message, including `sync`, until unsubscribed. Works before `startLive`. */
function onLive(handler: Handler): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

/** Calls `handler` with every message while the component is mounted. */
export function useLive(handler: Handler): void {
  const onMessage = useEffectEvent(handler)
  // The stream is outside React. The listener is removed when the component unmounts.
  useEffect(() => onLive((message) => onMessage(message)), [])
}

/** Whether the page gets live updates, for the offline bar. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(
    (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    () => current?.status() ?? 'connecting',
    () => 'connecting' as const,
  )
}
