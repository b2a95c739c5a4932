import { z } from 'zod'
import { call, done, id, page, pageOf, refusing, time } from './kit.ts'

const priority = z.enum(['high', 'medium', 'low'])
const activityType = z.enum(['reviews', 'matching', 'billing'])
const activityStatus = z.enum(['success', 'error', 'pending', 'info'])

/**
 * The kinds of notifications. In the app and by email each is on until the member switches it off; push
 * messages are off until the member switches them on.
 */
export const noticeKinds = {
  offers: { title: 'Offers', help: 'You get an offer, our staff withdraws one, or a rest begins.' },
  nudges: {
    title: 'Waiting requests',
    help:
      'A request could go to someone like you while you’re away. ' +
      'At most one a day, and it binds nothing.',
  },
  writing: { title: 'Reviews you write', help: 'Deadlines, reminders and the outcome of your reviews.' },
  receiving: {
    title: 'Reviews of your products',
    help: 'A member starts or finishes a review of your product, or you can ask for one.',
  },
  membership: {
    title: 'Membership',
    help:
      'It starts, renews, pauses or is canceled. We always notify you about a failed payment or a ' +
      'refund.',
  },
} as const
export type NoticeKind = keyof typeof noticeKinds
export const noticeKind = z.enum(Object.keys(noticeKinds) as NoticeKind[])

const channels = { inApp: z.boolean(), byEmail: z.boolean(), byPush: z.boolean() }
const noticePreference = z.object({ kind: noticeKind, ...channels })
export type NoticePreference = z.infer<typeof noticePreference>

/** A member gets push messages in this many browsers. */
export const pushDeviceLimit = 10

export const pushRefusals = {
  PUSH_UNAVAILABLE: { status: 409, message: 'Push messages are not set up in this club.' },
  PUSH_SERVICE_UNKNOWN: {
    status: 400,
    message: 'We don’t know the push service of this browser, so we can’t send it messages.',
  },
  TOO_MANY_PUSH_DEVICES: {
    status: 409,
    message: `You get push messages in ${pushDeviceLimit} browsers, the most there can be. Remove one first.`,
  },
}

const pushDevice = z.object({
  id,
  label: z.string(),
  kind: z.enum(['desktop', 'mobile', 'tablet']),
  /** It is the browser that asks. */
  current: z.boolean(),
  createdAt: time,
  /** When its push service last took a message. */
  deliveredAt: time.nullable(),
})
export type PushDevice = z.infer<typeof pushDevice>

const push = z.object({
  /** The key that a browser subscribes with, in base64url; null while the club sends no push messages. */
  publicKey: z.string().nullable(),
  devices: z.array(pushDevice),
})
export type Push = z.infer<typeof push>

/** What the service worker receives. It says nothing about who sent or gets it. */
export type PushPayload = {
  title: string
  body: string
  /** Where a click leads: a path of the product. */
  href: string
  /** A later message of the same tag replaces this one. */
  tag: string
  /** ISO text: after this moment there is nothing left to answer. */
  until: string
}

const base64url = (bytes: number) =>
  z
    .string()
    .max(200)
    .refine((text) => isBase64url(text, bytes))

function isBase64url(text: string, bytes: number) {
  return /^[\w-]+$/.test(text) && text.length === Math.ceil((bytes * 4) / 3)
}

/** The badge of unread notifications: nothing at 0, '99+' above 99. */
export function badgeOf(count: number) {
  if (count <= 0) return null
  return count > 99 ? '99+' : String(count)
}

const notice = z.object({
  id,
  title: z.string(),
  message: z.string(),
  priority,
  unread: z.boolean(),
  /** Whether what it is about is over, for example an offer that was answered. */
  settled: z.boolean(),
  /** The same for all notifications about one thing, such as an exchange; says nothing else. */
  about: z.string(),
  action: z.object({ label: z.string(), href: z.string() }).nullable(),
  createdAt: time,
})
export type Notice = z.infer<typeof notice>

const activityItem = z.object({
  id,
  type: activityType,
  title: z.string(),
  description: z.string(),
  status: activityStatus,
  href: z.string().nullable(),
  createdAt: time,
})
export type ActivityItem = z.infer<typeof activityItem>

export const notifications = {
  listNoticePreferences: call
    .route({
      method: 'GET',
      path: '/notifications/preferences',
      summary: 'My notification preferences, by kind and channel',
    })
    .output(z.array(noticePreference)),
  setNoticePreference: call
    .route({
      method: 'PATCH',
      path: '/notifications/preferences',
      summary: 'Change the channels of one kind of notification',
    })
    .input(z.strictObject({ kind: noticeKind, ...channels }))
    .output(done),
  listNotices: call
    .route({ method: 'GET', path: '/notifications', summary: 'My notifications, newest first' })
    .input(pageOf)
    .output(page(notice)),
  markNoticeRead: call
    .route({ method: 'POST', path: '/notifications/{id}/read', summary: 'Mark a notification as read' })
    .input(z.strictObject({ id }))
    .output(done),
  markNoticesRead: call
    .route({ method: 'POST', path: '/notifications/read-some', summary: 'Mark some notifications as read' })
    .input(z.strictObject({ ids: z.array(id).min(1).max(200) }))
    .output(done),
  markAllNoticesRead: call
    .route({ method: 'POST', path: '/notifications/read', summary: 'Mark all notifications as read' })
    .output(done),
  getPush: call
    .route({ method: 'GET', path: '/notifications/push', summary: 'The browsers that get push messages' })
    .output(push),
  addPushDevice: call
    .route({
      method: 'POST',
      path: '/notifications/push',
      summary: 'Get push messages in this browser until it is signed out',
    })
    .input(
      z.strictObject({
        endpoint: z.url().max(1024),
        keys: z.strictObject({ p256dh: base64url(65), auth: base64url(16) }),
      }),
    )
    .output(done)
    .errors(refusing(pushRefusals)),
  removePushDevice: call
    .route({ method: 'DELETE', path: '/notifications/push/{id}', summary: 'End push messages in a browser' })
    .input(z.strictObject({ id }))
    .output(done),
  testPush: call
    .route({
      method: 'POST',
      path: '/notifications/push/{id}/test',
      summary: 'Send a push message to a browser of mine, to test it',
    })
    .input(z.strictObject({ id }))
    .output(done)
    .errors(refusing(pushRefusals)),
  listMyMails: call
    .route({
      method: 'GET',
      path: '/notifications/mails',
      summary: 'The templates of mails that I got lately, and when the last of each was sent',
    })
    .output(z.array(z.object({ template: z.string(), sentAt: time }))),
  listActivity: call
    .route({ method: 'GET', path: '/activity', summary: 'My activity, newest first' })
    .input(pageOf.extend({ type: activityType.optional() }))
    .output(page(activityItem)),
}
