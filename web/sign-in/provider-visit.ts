/*
 * Going to the provider and coming back. It is done in a window of its own, so that this page stays as it is. That
 * window ends on a page of ours, which tells on a channel of our own origin that it is back, under the nonce of this
 * visit, and nothing else: who is signed in, the server says. What becomes of the window itself is not looked at, since
 * a provider may cut every tie to it, and it seems closed then.
 */

import { deleteLinkSecret } from '#web/accounts/link-secret.ts'
import { openChannel } from '#web/kit/channel.ts'
import { dropFromTab, keepInTab, readFromTab } from '#web/kit/tab-storage.ts'

type ProviderVisit = VisitEnds & {
  /** Asks the server where to go. Without a nonce the whole page goes there and comes back. */
  start: (nonce?: string) => Promise<string | null>
}

export type VisitEnds = {
  /** The window is back, with or without success. Heard for as long as the provider's page may be left open. */
  onReturned: (isOk: boolean) => void
  /** Nobody is busy with it any more, as far as can be told from here: the person came back, or a minute has passed. */
  onQuiet: () => void
}

/** The window that was opened last; an earlier one is not listened to any more. */
let endEarlier: (() => void) | undefined

const quietAfterMs = 60_000
/** The server knows a visit that was begun for this long. */
const heardForMs = 10 * 60_000
const size = { width: 500, height: 600 }

/**
 * Opens the provider's page in a window of 500 × 600, or in this one when the browser allows no other or gives it no way
 * to say that it is back. Call it in the press itself: later a browser opens no window. Rejects when the visit cannot begin; `NoProviderAddress` when
 * there is nowhere to go.
 */
export async function visitProvider({ start, onReturned, onQuiet }: ProviderVisit): Promise<void> {
  endEarlier?.()
  const channel = openChannel(channelName)
  const visitor = channel && open('about:blank', '_blank', `popup,${besideThisWindow()}`)
  const nonce = visitor ? crypto.randomUUID() : undefined
  if (visitor) fillMeanwhile(visitor)
  try {
    const address = await start(nonce)
    if (address === null) throw new NoProviderAddress()
    if (!visitor || !channel || !nonce) {
      channel?.close()
      return leavePage(address)
    }
    endEarlier = listen(channel, nonce, { onReturned, onQuiet })
    visitor.location.href = address
  } catch (error) {
    channel?.close()
    visitor?.close()
    throw error
  }
}

/** The window is there before anybody knows where it goes: it says so, instead of standing empty. */
function fillMeanwhile({ document }: Window): void {
  document.title = 'Connecting…'
  document.documentElement.style.colorScheme = 'light dark'
  document.body.style.cssText = 'margin: 2rem; font: 16px/1.5 system-ui, sans-serif'
  document.body.textContent = 'Connecting…'
}

/** There is no page of the provider to go to. */
export class NoProviderAddress extends Error {}

/** In the window that came back: says so to the page that opened it, and closes. */
export async function endVisit(nonce: string, isOk: boolean): Promise<void> {
  const channel = openChannel(channelName)
  channel?.postMessage({ ok: isOk, nonce })
  channel?.close()
  close()
  // A window that may not close itself is a page like any other, and goes on.
  await new Promise((resolve) => setTimeout(resolve, 500))
}

/** The path of the page that this window left for the provider, once; null when it left none. */
export function takeLeftPath(): string | null {
  const path = readFromTab(leftKey)
  dropFromTab(leftKey)
  return path
}

const leftKey = 'providerVisit'
const channelName = 'evenhand-provider'

function leavePage(address: string): void {
  deleteLinkSecret()
  keepInTab(leftKey, location.pathname)
  location.assign(address)
}

function listen(channel: BroadcastChannel, nonce: string, { onReturned, onQuiet }: VisitEnds): () => void {
  const quiet = setTimeout(onQuiet, quietAfterMs)
  const last = setTimeout(end, heardForMs)
  addEventListener('focus', onQuiet)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isReturn(data) || data.nonce !== nonce) return
    end()
    onReturned(data.ok)
  }
  return end

  function end() {
    channel.close()
    clearTimeout(quiet)
    clearTimeout(last)
    removeEventListener('focus', onQuiet)
  }
}

function isReturn(data: unknown): data is { ok: boolean; nonce: string } {
  return (
    typeof data === 'object' &&
    data !== null &&
    'ok' in data &&
    typeof data.ok === 'boolean' &&
    'nonce' in data &&
    typeof data.nonce === 'string'
  )
}

/** In the middle of this window, wherever that stands. */
function besideThisWindow(): string {
  const { width, height } = size
  const left = Math.round(screenX + (outerWidth - width) / 2)
  const top = Math.round(screenY + (outerHeight - height) / 2)
  return `width=${width},height=${height},left=${Math.max(0, left)},top=${Math.max(0, top)}`
}
