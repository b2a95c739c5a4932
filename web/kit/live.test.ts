import { expect, test } from 'vitest'
import { beat } from '#contract/live.ts'
import type { LiveMessage } from '#contract/live.ts'
import { startStream } from './live.ts'
import type { LiveParts } from './live.ts'

const made: LiveMessage = { name: 'offer.made', ids: { queueId: 'q1' } }

test('a message reaches the listeners with its name and ids', () => {
  const tab = openTab()
  tab.source().onopen?.(new Event('open'))
  tab.send(made)
  expect(tab.received).toEqual([made])
  expect(tab.live.status()).toBe('open')
})

test('unknown and malformed messages are ignored', () => {
  const tab = openTab()
  const unknown = ['{"name":"weather.changed","ids":{}}', '{"name":"offer.made","ids":{}}']
  for (const data of ['', 'null', '{"name":1,"ids":{}}', '{"name":"notice.read"}', 'ping', ...unknown]) {
    tab.source().onmessage?.(new MessageEvent('message', { data }))
  }
  expect(tab.received).toEqual([])
})

test('the first sync of a stream is delivered at once, a later one after up to 5 s', () => {
  const tab = openTab({ random: 0.5 })
  tab.send(sync)
  expect(tab.received).toHaveLength(1)
  tab.send(sync)
  expect(tab.received).toHaveLength(1)
  expect(tab.waits()).toEqual([2_500])
  tab.pass()
  expect(tab.received).toEqual([sync, sync])
})

test('a lost stream is reopened after a random wait of up to 5 s, longer after repeated failures', () => {
  const tab = openTab({ random: 1 })
  tab.source().onerror?.(new Event('error'))
  expect(tab.live.status()).toBe('lost')
  expect(tab.waits()).toEqual([5_000])
  tab.pass()
  expect(tab.sources).toHaveLength(2)
  for (let failures = 2; failures <= 9; failures += 1) {
    tab.source().onerror?.(new Event('error'))
    expect(tab.waits()).toEqual([Math.min(30_000, failures * 5_000)])
    tab.pass()
  }
  tab.source().onopen?.(new Event('open'))
  expect(tab.live.status()).toBe('open')
  tab.source().onerror?.(new Event('error'))
  expect(tab.waits()).toEqual([5_000])
})

test('the first sync of a reopened stream is delivered at once', () => {
  const tab = openTab()
  tab.send(sync)
  tab.source().onerror?.(new Event('error'))
  tab.pass()
  tab.send(sync)
  expect(tab.received).toEqual([sync, sync])
})

test('only one tab opens a stream, and the others receive its messages', async () => {
  const browser = sharedBrowser()
  const first = openTab({ browser })
  const second = openTab({ browser })
  await browser.settle()
  expect([first.sources.length, second.sources.length]).toEqual([1, 0])
  first.source().onopen?.(new Event('open'))
  first.send(made)
  await browser.settle()
  expect([first.received, second.received]).toEqual([[made], [made]])
  expect(second.live.status()).toBe('open')
})

test('a tab that opens later gets the status of the stream', async () => {
  const browser = sharedBrowser()
  const first = openTab({ browser })
  first.source().onopen?.(new Event('open'))
  const second = openTab({ browser })
  await browser.settle()
  expect(second.live.status()).toBe('open')
})

test('when the leading tab closes, another tab opens the stream', async () => {
  const browser = sharedBrowser()
  const first = openTab({ browser })
  const second = openTab({ browser })
  first.live.stop()
  await browser.settle()
  expect(first.source().closed).toBe(true)
  expect(second.sources).toHaveLength(1)
  second.send(made)
  expect(second.received).toEqual([made])
  expect(first.received).toEqual([])
})

test('a tab that stops before it gets the lock opens no stream', async () => {
  const late = Promise.withResolvers<void>()
  const tab = openTab({ lead: async (hold, signal) => late.promise.then(() => hold(signal)) })
  tab.live.stop()
  late.resolve()
  await late.promise
  expect(tab.sources).toHaveLength(0)
})

test('stopping closes the stream and cancels every wait', () => {
  const tab = openTab()
  tab.source().onerror?.(new Event('error'))
  tab.live.stop()
  expect(tab.waits()).toEqual([])
  expect(tab.sources).toHaveLength(1)
})

test('a stream that was stopped may be silent', () => {
  const tab = openTab()
  tab.source().onopen?.(new Event('open'))
  tab.live.stop()
  tab.passSilence()
  expect([tab.live.status(), tab.waits()]).toEqual(['open', []])
})

test.each(['before it opens', 'after it opened'])('a stream that is silent %s is opened again', (when) => {
  const tab = openTab({ random: 1 })
  if (when === 'after it opened') tab.source().onopen?.(new Event('open'))
  const silent = tab.source()
  tab.passSilence()
  expect([tab.live.status(), silent.closed]).toEqual(['lost', true])
  tab.pass()
  expect(tab.sources).toHaveLength(2)
  tab.source().onopen?.(new Event('open'))
  expect(tab.live.status()).toBe('open')
})

test('a beat and a message each begin the time of silence again', () => {
  const tab = openTab()
  expect(tab.silencesWaitedFor()).toBe(1)
  tab.source().beat()
  expect(tab.silencesWaitedFor()).toBe(2)
  tab.send(made)
  expect(tab.silencesWaitedFor()).toBe(3)
  // Only the last one still runs: the stream is lost once.
  tab.passSilence()
  expect(tab.waits()).toHaveLength(1)
})

test('a stream that failed is not lost once more by its silence', () => {
  const tab = openTab()
  tab.source().onerror?.(new Event('error'))
  tab.passSilence()
  expect(tab.waits()).toHaveLength(1)
})

const longestSilence = 50_000
const sync: LiveMessage = { name: 'sync', ids: {} }

/** Replaces the browser's EventSource, controlled by the test. */
class Source extends EventTarget {
  onopen: ((event: Event) => void) | null = null
  onerror: ((event: Event) => void) | null = null
  onmessage: ((event: MessageEvent) => void) | null = null
  closed = false
  close() {
    this.closed = true
  }
  beat() {
    this.dispatchEvent(new Event(beat.type))
  }
}

function openTab({
  random = 0.5,
  browser,
  lead = browser?.lead ?? ((hold, signal) => hold(signal)),
}: { random?: number; browser?: ReturnType<typeof sharedBrowser>; lead?: LiveParts['lead'] } = {}) {
  const sources: Source[] = []
  const received: LiveMessage[] = []
  let waiting: { milliseconds: number; action: () => void }[] = []
  let silences = 0
  const parts: LiveParts = {
    openSource: () => {
      const source = new Source()
      sources.push(source)
      return source as unknown as EventSource // The stream uses only the members of Source.
    },
    channel: browser?.channel() ?? null,
    lead,
    after: (milliseconds, action) => {
      const wait = { milliseconds, action }
      waiting.push(wait)
      if (milliseconds === longestSilence) silences += 1
      return () => {
        waiting = waiting.filter((other) => other !== wait)
      }
    },
    random: () => random,
  }
  function runOut(ends: (milliseconds: number) => boolean) {
    const due = waiting.filter(({ milliseconds }) => ends(milliseconds))
    waiting = waiting.filter((wait) => !due.includes(wait))
    for (const { action } of due) action()
  }
  const live = startStream(parts)
  live.onMessage((message) => received.push(message))
  return {
    live,
    sources,
    received,
    source: () => sources.at(-1) ?? new Source(),
    send: (message: LiveMessage) =>
      sources.at(-1)?.onmessage?.(new MessageEvent('message', { data: JSON.stringify(message) })),
    /** The waits after which something happens, but for the one that ends a silent stream. */
    waits: () => waiting.map(({ milliseconds }) => milliseconds).filter((each) => each !== longestSilence),
    /** Ends those waits. */
    pass: () => runOut((milliseconds) => milliseconds !== longestSilence),
    /** For as long as a stream may be silent, nothing comes. */
    passSilence: () => runOut((milliseconds) => milliseconds === longestSilence),
    silencesWaitedFor: () => silences,
  }
}

/** The lock and the channel that the tabs of one browser share. */
function sharedBrowser() {
  const queue: { hold: (signal: AbortSignal) => Promise<void>; signal: AbortSignal }[] = []
  let busy = false
  type Channel = NonNullable<LiveParts['channel']>
  const channels = new Set<Channel>()

  async function serve() {
    if (busy) return
    busy = true
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (!next.signal.aborted) await next.hold(next.signal)
    }
    busy = false
  }

  return {
    lead: (hold: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) => {
      queue.push({ hold, signal })
      void serve()
      return Promise.resolve()
    },
    channel: (): Channel => {
      const channel: Channel = {
        onmessage: null,
        close: () => channels.delete(channel),
        postMessage: (data: unknown) => {
          for (const other of channels) {
            if (other === channel) continue
            queueMicrotask(() =>
              other.onmessage?.call(other as BroadcastChannel, new MessageEvent('message', { data })),
            )
          }
        },
      }
      channels.add(channel)
      return channel
    },
    settle: () => new Promise((done) => setTimeout(done, 0)),
  }
}
