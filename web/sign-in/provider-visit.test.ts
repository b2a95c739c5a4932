import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endVisit, NoProviderAddress, takeLeftPath, visitProvider } from './provider-visit.ts'

const address = 'https://provider.example/authorize'
const nonces: (string | undefined)[] = []
const start = async (nonce?: string) => {
  nonces.push(nonce)
  return address as string | null
}
let visitor: ReturnType<typeof aWindow> | null
const listeners = new EventTarget()
const opened = vi.fn()
const left = vi.fn()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  nonces.length = 0
  visitor = aWindow()
  const kept = new Map<string, string>()
  vi.stubGlobal('open', (...args: unknown[]) => {
    opened(...args, nonces.length)
    return visitor
  })
  vi.stubGlobal('location', { assign: left, pathname: '/settings/security' })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('addEventListener', listeners.addEventListener.bind(listeners))
  vi.stubGlobal('removeEventListener', listeners.removeEventListener.bind(listeners))
  for (const name of ['screenX', 'screenY']) vi.stubGlobal(name, 100)
  vi.stubGlobal('outerWidth', 1280)
  vi.stubGlobal('outerHeight', 800)
})

afterEach(async () => {
  // Another visit stops the one that may still be listening.
  visitor = null
  await visitProvider({ start, onReturned: () => {}, onQuiet: () => {} })
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

describe('a visit to the provider', () => {
  test('opens a window of 500 × 600 before it asks the server for the address', async () => {
    await visitProvider({ start, onReturned: () => {}, onQuiet: () => {} })
    expect(opened).toHaveBeenCalledExactlyOnceWith(
      'about:blank',
      '_blank',
      'popup,width=500,height=600,left=490,top=200',
      0,
    )
    expect(visitor?.document.body.textContent).toBe('Connecting…')
    expect(visitor?.location.href).toBe(address)
    expect(left).not.toHaveBeenCalled()
  })

  test('uses the whole page without a nonce when the window is blocked, and remembers its path', async () => {
    visitor = null
    await visitProvider({ start, onReturned: () => {}, onQuiet: () => {} })
    expect(nonces).toEqual([undefined])
    expect(left).toHaveBeenCalledExactlyOnceWith(address)
    expect(takeLeftPath()).toBe('/settings/security')
    expect(takeLeftPath()).toBeNull()
  })

  test('uses the whole page when the browser has no broadcast channel', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    await visitProvider({ start, onReturned: () => {}, onQuiet: () => {} })
    expect(opened).not.toHaveBeenCalled()
    expect(nonces).toEqual([undefined])
    expect(left).toHaveBeenCalledExactlyOnceWith(address)
  })

  test('closes its window when the provider gives no address', async () => {
    const nowhere = visitProvider({ start: async () => null, onReturned: () => {}, onQuiet: () => {} })
    await expect(nowhere).rejects.toBeInstanceOf(NoProviderAddress)
    expect(visitor?.close).toHaveBeenCalledOnce()
  })

  test('ends only when a valid message carries its own nonce', async () => {
    const onReturned = vi.fn()
    await visitProvider({ start, onReturned, onQuiet: () => {} })
    await broadcast({ error: null, nonce: 'of-another-attempt' })
    await broadcast({ nonce: nonces[0] })
    await broadcast('ok')
    expect(onReturned).not.toHaveBeenCalled()
    await broadcast({ error: 'access_denied', nonce: nonces[0] })
    expect(onReturned).toHaveBeenCalledExactlyOnceWith('access_denied')
    await broadcast({ error: null, nonce: nonces[0] })
    expect(onReturned).toHaveBeenCalledOnce()
  })

  test('stops showing as busy on focus or after a minute, and still accepts the return', async () => {
    const onReturned = vi.fn()
    const onQuiet = vi.fn()
    await visitProvider({ start, onReturned, onQuiet })
    listeners.dispatchEvent(new Event('focus'))
    expect(onQuiet).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(59_999)
    expect(onQuiet).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(onQuiet).toHaveBeenCalledTimes(2)
    await broadcast({ error: null, nonce: nonces[0] })
    expect(onReturned).toHaveBeenCalledExactlyOnceWith(null)
  })

  test('reports from the returned window only its nonce and why it failed', async () => {
    const received = new Promise((resolve) => {
      const channel = new BroadcastChannel('evenhand-provider')
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        resolve(data)
        channel.close()
      }
    })
    const close = vi.fn()
    vi.stubGlobal('close', close)
    const ended = endVisit('of-this-attempt', null)
    expect(await received).toEqual({ error: null, nonce: 'of-this-attempt' })
    expect(close).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(500)
    await ended
  })
})

/** A fake window with only what a visit uses. */
function aWindow() {
  const style: Record<string, string> = {}
  return {
    location: { href: 'about:blank' },
    document: { title: '', documentElement: { style }, body: { style, textContent: '' } },
    close: vi.fn(),
  }
}

/** Sends a message on the channel, as any page of our origin could, and waits until it was received. */
async function broadcast(data: unknown) {
  const [sender, receiver] = [
    new BroadcastChannel('evenhand-provider'),
    new BroadcastChannel('evenhand-provider'),
  ]
  // The page's own port may get a message after this receiver. It has the first one once the second arrives.
  for (const message of [data, 'anything else']) {
    const received = new Promise((resolve) => {
      receiver.onmessage = resolve
    })
    sender.postMessage(message)
    await received
  }
  sender.close()
  receiver.close()
}
