// Push messages in this browser: its permission, its worker and its subscription at its push service.
import { client } from '#web/api.ts'
import { rememberPush } from './remembered-push.ts'

/** `elsewhere`: the browser can, once the site is on the home screen. `denied`: its settings forbid it. */
type PushSupport = 'yes' | 'no' | 'elsewhere' | 'denied'

const workerPath = '/push-worker.js'

export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator) || !('Notification' in window))
    return isPhoneOfApple() ? 'elsewhere' : 'no'
  if (!('PushManager' in window)) return 'no'
  return Notification.permission === 'denied' ? 'denied' : 'yes'
}

/** Safari on a phone offers push only to sites on the home screen. */
function isPhoneOfApple(): boolean {
  return /iPhone|iPad/.test(navigator.userAgent)
}

/** The browser's question was answered with no, or closed. */
export class PushNotAllowed extends Error {}

/**
 * Asks for the permission, subscribes and gives the club the address to send to. This browser renews it by
 * itself while `memberId` stays signed in. Rejects with PushNotAllowed, or a refusal of the call.
 */
export async function startPush(publicKey: string, memberId: string): Promise<void> {
  // Asked first: browsers only ask in the moment of a press.
  if ((await Notification.requestPermission()) !== 'granted') throw new PushNotAllowed()
  await subscribe(publicKey)
  rememberPush(memberId)
}

/** Ends the subscription of this browser. */
export async function stopPush(): Promise<void> {
  rememberPush(null)
  const registration = await navigator.serviceWorker.getRegistration('/')
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  await registration?.unregister()
}

/**
 * Subscribes again where the subscription went: with its login session, or because the browser renewed it.
 * Does nothing without the permission, and gives up quietly: the settings show that it is off.
 */
export async function renewPush(): Promise<void> {
  if (pushSupport() !== 'yes' || Notification.permission !== 'granted') return
  const { publicKey, devices } = await client.notifications.getPush()
  if (publicKey === null || devices.some(({ current }) => current)) return
  await subscribe(publicKey)
}

async function subscribe(publicKey: string): Promise<void> {
  await navigator.serviceWorker.register(workerAddress(), { scope: '/', updateViaCache: 'none' })
  const { pushManager } = await navigator.serviceWorker.ready
  const key = Uint8Array.from(atob(publicKey.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
    c.charCodeAt(0),
  )
  const kept = await pushManager.getSubscription()
  // One for another key gets nothing any more.
  if (kept && !isSame(kept.options.applicationServerKey, key)) await kept.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = subscription.toJSON()
  await client.notifications.addPushDevice({
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
  })
}

function isSame(one: ArrayBuffer | null, other: Uint8Array): boolean {
  const bytes = new Uint8Array(one ?? new ArrayBuffer())
  return bytes.length === other.length && bytes.every((byte, at) => byte === other[at])
}

type ScriptPolicies = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string
  }
}

/** The address of the worker, in the form that the content security policy requires of scripts. */
function workerAddress(): string {
  // TypeScript's types for browsers lack trusted types, and Firefox has them only lately.
  const { trustedTypes } = window as { trustedTypes?: ScriptPolicies }
  const policy = trustedTypes?.createPolicy('evenhand-push', { createScriptURL: () => workerPath })
  return policy?.createScriptURL(workerPath) ?? workerPath
}
