import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Push, PushPayload } from '#contract/notifications.ts'
import { ada, answerBy, done, open } from '#web/shell/testing.tsx'
import worker from '../public/push-worker.js?raw'

/*
 * Headless browsers deny notifications and reach no push service. So the worker's own code runs here with a
 * stand-in for its surroundings, and the settings with one for the browser's push manager.
 */

type Shown = {
  title: string
  body: string
  tag: string
  actions: { action: string }[]
  data: { href: string }
}

/** The worker, with the pages that are open. `shown` and `opened` hold what it did. */
function startWorker(pages: { url: string; focus: () => void }[] = []) {
  const handlers = new Map<string, (event: object) => void>()
  const [shown, opened]: [Shown[], string[]] = [[], []]
  const self = {
    location,
    addEventListener: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
    registration: {
      showNotification: async (title: string, rest: Omit<Shown, 'title'>) =>
        void shown.push({ title, ...rest }),
    },
    clients: {
      matchAll: async () => pages,
      openWindow: async (href: string) => void opened.push(href),
    },
  }
  // eslint-disable-next-line no-implied-eval -- The file is a classic script, and `self` is its only name.
  new Function('self', worker)(self)
  const dispatch = async (name: string, event: object) => {
    const waits: Promise<unknown>[] = []
    handlers.get(name)?.({ ...event, waitUntil: (wait: Promise<unknown>) => waits.push(wait) })
    await Promise.all(waits)
  }
  const click = (href: string, action = '') =>
    dispatch('notificationclick', { action, notification: { data: { href }, close: () => undefined } })
  return { shown, opened, click, push: (data: object | null) => dispatch('push', { data }), handlers }
}

const offer: PushPayload = {
  title: 'A review offer is waiting for you',
  body: 'Accept or decline by 10:30 AM UTC.',
  href: '/dashboard?offer=open',
  tag: 'offer-1',
  until: '2999-01-01T00:00:00Z',
}

test('the worker shows each message with a way to turn it off, and says when it came too late', async () => {
  const { shown, push, handlers } = startWorker()
  await push({ json: () => offer })
  await push({ json: () => ({ ...offer, until: '2026-01-01T00:00:00Z' }) })
  await push(null)
  expect(shown.map(({ title, body }) => [title, body])).toEqual([
    [offer.title, offer.body],
    [offer.title, 'This came too late to answer.'],
    ['News from Evenhand', 'Open Evenhand to read it.'],
  ])
  expect(shown[0]).toMatchObject({ tag: 'offer-1', data: { href: offer.href } })
  expect(shown[0]?.actions.map(({ action }) => action)).toEqual(['open', 'settings'])
  expect([...handlers.keys()].toSorted(), 'it does nothing but push').toEqual([
    'install',
    'notificationclick',
    'push',
  ])
})

test('a click opens the offer, the settings or an open page, and never another site', async () => {
  const focus = vi.fn<() => void>()
  const { click, opened } = startWorker([{ url: `${location.origin}/notifications`, focus }])
  await click(offer.href)
  await click(offer.href, 'settings')
  for (const href of ['https://evil.example/', '//evil.example', 'javascript:alert(1)']) await click(href)
  expect(opened).toEqual([
    `${location.origin}/dashboard?offer=open`,
    `${location.origin}/settings/notifications`,
  ])
  expect(focus, 'the page that is already there').toHaveBeenCalledTimes(3)
})

const device = {
  id: '0192f0c0-0000-7000-8000-0000000000d1',
  label: 'Chrome on Linux',
  kind: 'desktop' as const,
  current: true,
  createdAt: '2026-11-21T09:00:00Z',
  deliveredAt: null,
}
let push: Push
let actions: { call: string; body: unknown }[]

beforeEach(() => {
  push = { publicKey: 'BAEC', devices: [] }
  actions = []
  answerBy(async (call, request) => {
    if (call === 'GET me') return ada
    if (call === 'GET notifications/push') return push
    if (call === 'GET notifications/mails')
      return [{ template: 'offer-made', sentAt: '2026-11-20T17:05:00Z' }]
    if (call === 'GET notifications/preferences')
      return [{ kind: 'offers', inApp: true, byEmail: true, byPush: false }]
    if (call.startsWith('GET')) return undefined
    if (call === 'POST presence') return done
    actions.push({ call, body: await request.json().catch(() => null) })
    if (call === 'POST notifications/push') push = { ...push, devices: [device] }
    if (call.startsWith('DELETE')) push = { ...push, devices: [] }
    return done
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
})

/** A browser that allows notifications, or answers its question otherwise. */
function letBrowser(answer: NotificationPermission) {
  vi.stubGlobal('Notification', { permission: 'default', requestPermission: async () => answer })
  vi.stubGlobal('PushManager', class {})
  const subscription = {
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: 'https://fcm.googleapis.com/x', keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => true,
  }
  const registration = {
    pushManager: { getSubscription: async () => null, subscribe: async () => subscription },
    unregister: async () => true,
  }
  const workers = navigator.serviceWorker
  // A registration of the browser's own cannot be made up whole.
  const found = registration as unknown as ServiceWorkerRegistration
  vi.spyOn(workers, 'register').mockResolvedValue(found)
  vi.spyOn(workers, 'ready', 'get').mockResolvedValue(found)
  vi.spyOn(workers, 'getRegistration').mockResolvedValue(found)
}

test('push is switched on for this browser, tested, and turned off again', async () => {
  letBrowser('granted')
  await open('/settings/notifications')
  await page.getByRole('button', { name: 'Switch on here' }).click()
  await page.getByRole('button', { name: 'Send a test to Chrome on Linux' }).click()
  await expect.element(page.getByText('Test message sent')).toBeVisible()
  await page.getByRole('switch', { name: 'Offers by push' }).click()
  await page.getByRole('button', { name: 'Turn off on Chrome on Linux' }).click()
  await expect.element(page.getByRole('button', { name: 'Switch on here' })).toBeVisible()
  expect(actions).toEqual([
    {
      call: 'POST notifications/push',
      body: { endpoint: 'https://fcm.googleapis.com/x', keys: { p256dh: 'p', auth: 'a' } },
    },
    { call: `POST notifications/push/${device.id}/test`, body: null },
    {
      call: 'PATCH notifications/preferences',
      body: { kind: 'offers', inApp: true, byEmail: true, byPush: true },
    },
    { call: `DELETE notifications/push/${device.id}`, body: null },
  ])
  expect(localStorage.length).toBe(0)
})

test('a browser that does not allow it says so, and stays as it was', async () => {
  letBrowser('denied')
  await open('/settings/notifications')
  await page.getByRole('button', { name: 'Switch on here' }).click()
  await expect
    .element(page.getByText('Your browser did not allow notifications from Evenhand.'))
    .toBeVisible()
  expect(actions).toEqual([])
  expect(localStorage.length).toBe(0)
})

test('a club without keys does not mention push', async () => {
  push = { publicKey: null, devices: [] }
  await open('/settings/notifications')
  await expect.element(page.getByRole('switch', { name: 'Offers by email' })).toBeVisible()
  await expect.element(page.getByText('Every email, and when we last sent it')).toBeVisible()
  await expect.element(page.getByText(/push/i)).not.toBeInTheDocument()
})

test('the settings say of each email what it is, and when the last one was sent', async () => {
  await open('/settings/notifications')
  await expect.element(page.getByText('Every email, and when we last sent it')).toBeVisible()
  await page.getByText('1 email', { exact: true }).first().click()
  await expect.element(page.getByText('You were drawn to review a product.')).toBeVisible()
  await expect.element(page.getByText('Nov 20, 2026 at 5:05 PM')).toBeVisible()
  await page.getByText('Always sent').click()
  await expect.element(page.getByText('Your password was changed.')).toBeVisible()
})
