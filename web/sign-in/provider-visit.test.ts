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
  vi.stubGlobal('open', (...wish: unknown[]) => {
    opened(...wish, nonces.length)
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
  // Another visit ends the one that may still be listening.
  visitor = null
  await visitProvider({ start, onReturned: () => {}, onQuiet: () => {} })
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

describe('a visit to the provider', () => {
  test('begins in a window of 500 × 600, opened in the press before anything is asked', async () => {
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

  test('takes the whole page where no window opens, without a nonce, and remembers which page that was', async () => {
    visitor = null
    await visitProvider({ start, onReturned: () => {}, onQuiet: () => {} })
    expect(nonces).toEqual([undefined])
    expect(left).toHaveBeenCalledExactlyOnceWith(address)
    expect(takeLeftPath()).toBe('/settings/security')
    expect(takeLeftPath()).toBeNull()
  })

  test('takes the whole page where a window could not say that it is back', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    await visitProvider({ start, onReturned: () => {}, onQuiet: () => {} })
    expect(opened).not.toHaveBeenCalled()
    expect(nonces).toEqual([undefined])
    expect(left).toHaveBeenCalledExactlyOnceWith(address)
  })

  test('closes its window again when there is nowhere to go', async () => {
    const nowhere = visitProvider({ start: async () => null, onReturned: () => {}, onQuiet: () => {} })
    await expect(nowhere).rejects.toBeInstanceOf(NoProviderAddress)
    expect(visitor?.close).toHaveBeenCalledOnce()
  })

  test('is over when its own nonce is told, whatever else is said', async () => {
    const onReturned = vi.fn()
    await visitProvider({ start, onReturned, onQuiet: () => {} })
    await tell({ ok: true, nonce: 'of-another-attempt' })
    await tell({ nonce: nonces[0] })
    await tell('ok')
    expect(onReturned).not.toHaveBeenCalled()
    await tell({ ok: false, nonce: nonces[0] })
    expect(onReturned).toHaveBeenCalledExactlyOnceWith(false)
    await tell({ ok: true, nonce: nonces[0] })
    expect(onReturned).toHaveBeenCalledOnce()
  })

  test('keeps nobody waiting once they are back or a minute has passed, and is still heard then', async () => {
    const onReturned = vi.fn()
    const onQuiet = vi.fn()
    await visitProvider({ start, onReturned, onQuiet })
    listeners.dispatchEvent(new Event('focus'))
    expect(onQuiet).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(59_999)
    expect(onQuiet).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(onQuiet).toHaveBeenCalledTimes(2)
    await tell({ ok: true, nonce: nonces[0] })
    expect(onReturned).toHaveBeenCalledExactlyOnceWith(true)
  })

  test('tells from the window that came back whether it went well, and nothing else', async () => {
    const heard = new Promise((resolve) => {
      const channel = new BroadcastChannel('evenhand-provider')
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        resolve(data)
        channel.close()
      }
    })
    const close = vi.fn()
    vi.stubGlobal('close', close)
    const ended = endVisit('of-this-attempt', true)
    expect(await heard).toEqual({ ok: true, nonce: 'of-this-attempt' })
    expect(close).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(500)
    await ended
  })
})

/** As much of a window as a visit touches. */
function aWindow() {
  const style: Record<string, string> = {}
  return {
    location: { href: 'about:blank' },
    document: { title: '', documentElement: { style }, body: { style, textContent: '' } },
    close: vi.fn(),
  }
}

/** Says something on the channel, as any page of our origin could, and waits until it was heard there. */
async function tell(data: unknown) {
  const [speaker, witness] = [
    new BroadcastChannel('evenhand-provider'),
    new BroadcastChannel('evenhand-provider'),
  ]
  // The page listens on a port of its own, which may be served after the witness's: by the second time it was.
  for (const words of [data, 'anything else']) {
    const heard = new Promise((resolve) => {
      witness.onmessage = resolve
    })
    speaker.postMessage(words)
    await heard
  }
  speaker.close()
  witness.close()
}
