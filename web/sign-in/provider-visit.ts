/*
 * A visit to the provider in a separate window, so that this page keeps its state. The window returns to a
 * page of ours, which reports the visit's nonce and why it failed, if it did, on a broadcast channel. The
 * server knows who is signed in. The window itself is not observed, since it can look closed when the
 * provider cuts its link to this page.
 */

import { deleteLinkSecret } from '#web/accounts/link-secret.ts'
import { openChannel } from '#web/kit/channel.ts'
import { dropFromTab, keepInTab, readFromTab } from '#web/kit/tab-storage.ts'

type ProviderVisit = VisitEnds & {
  /** Gets the provider's address from the server. Without a nonce, this whole page visits it. */
  start: (nonce?: string) => Promise<string | null>
}

export type VisitEnds = {
  /** Called when the window returns, up to ten minutes later, with the code of its error if it failed. */
  onReturned: (error: string | null) => void
  /** Called when the user seems to have given up: this page has focus again, or a minute has passed. */
  onQuiet: () => void
}

/** Stops listening to the previous window. Only the last one is listened to. */
let endEarlier: (() => void) | undefined

const quietAfterMs = 60_000
/** For this long the server accepts the return of a visit. */
const listensForMs = 10 * 60_000
const size = { width: 500, height: 600 }

/**
 * Opens the provider's page in a window of 500 × 600, or in this page when the browser blocks windows or
 * lacks broadcast channels. Call it synchronously in the click handler, or the browser blocks the window.
 * Rejects when the visit cannot start, with `NoProviderAddress` when there is no page to open.
 */
export async function visitProvider({ start, onReturned, onQuiet }: ProviderVisit): Promise<void> {
  endEarlier?.()
  const channel = openChannel(channelName)
  const visitor = channel && open('about:blank', '_blank', `popup,${centeredOnThisWindow()}`)
  const nonce = visitor ? crypto.randomUUID() : undefined
  if (visitor) fillWhileWaiting(visitor)
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

/** Fills the window with a message until its address is known. */
function fillWhileWaiting({ document }: Window): void {
  document.title = 'Connecting…'
  document.documentElement.style.colorScheme = 'light dark'
  document.body.style.cssText = 'margin: 2rem; font: 16px/1.5 system-ui, sans-serif'
  document.body.textContent = 'Connecting…'
}

/** The provider gave no page to open. */
export class NoProviderAddress extends Error {}

/** Called in the returned window: reports to the page that opened it, then closes. */
export async function endVisit(nonce: string, error: string | null): Promise<void> {
  const channel = openChannel(channelName)
  channel?.postMessage({ error, nonce })
  channel?.close()
  close()
  // If the browser does not let it close itself, it continues as an ordinary page.
  await new Promise((resolve) => setTimeout(resolve, 500))
}

/** Returns, once, the path of the page that this window left for the provider; null when it left none. */
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
  const last = setTimeout(end, listensForMs)
  addEventListener('focus', onQuiet)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isReturn(data) || data.nonce !== nonce) return
    end()
    onReturned(data.error)
  }
  return end

  function end() {
    channel.close()
    clearTimeout(quiet)
    clearTimeout(last)
    removeEventListener('focus', onQuiet)
  }
}

function isReturn(data: unknown): data is { error: string | null; nonce: string } {
  return (
    typeof data === 'object' &&
    data !== null &&
    'error' in data &&
    (data.error === null || typeof data.error === 'string') &&
    'nonce' in data &&
    typeof data.nonce === 'string'
  )
}

/** The size and position that center the new window over this one. */
function centeredOnThisWindow(): string {
  const { width, height } = size
  const left = Math.round(screenX + (outerWidth - width) / 2)
  const top = Math.round(screenY + (outerHeight - height) / 2)
  return `width=${width},height=${height},left=${Math.max(0, left)},top=${Math.max(0, top)}`
}
