import { z } from 'zod'
import { call, done, id, page, pageOf, time } from './kit.ts'

const priority = z.enum(['high', 'medium', 'low'])
const activityType = z.enum(['reviews', 'matching', 'billing'])
const activityStatus = z.enum(['success', 'error', 'pending', 'info'])

/** The kinds of notifications. Each kind is on until the member switches it off. */
export const noticeKinds = {
  offers: { title: 'Offers', help: 'You get an offer, or an offer expires.' },
  writing: { title: 'Reviews you write', help: 'Deadlines, reminders and the outcome of your reviews.' },
  receiving: {
    title: 'Reviews of your products',
    help: 'A member starts or finishes a review of your product.',
  },
  membership: {
    title: 'Membership',
    help: 'It starts, renews, pauses or is canceled. We always tell you about a failed payment or a refund.',
  },
} as const
export type NoticeKind = keyof typeof noticeKinds
export const noticeKind = z.enum(Object.keys(noticeKinds) as NoticeKind[])

const noticePreference = z.object({ kind: noticeKind, inApp: z.boolean(), byEmail: z.boolean() })
export type NoticePreference = z.infer<typeof noticePreference>

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
    .input(z.strictObject({ kind: noticeKind, inApp: z.boolean(), byEmail: z.boolean() }))
    .output(done),
  listNotices: call
    .route({ method: 'GET', path: '/notifications', summary: 'My notifications, newest first' })
    .input(pageOf)
    .output(page(notice)),
  markNoticeRead: call
    .route({ method: 'POST', path: '/notifications/{id}/read', summary: 'Mark a notification as read' })
    .input(z.strictObject({ id }))
    .output(done),
  markAllNoticesRead: call
    .route({ method: 'POST', path: '/notifications/read', summary: 'Mark all notifications as read' })
    .output(done),
  listActivity: call
    .route({ method: 'GET', path: '/activity', summary: 'My activity, newest first' })
    .input(pageOf.extend({ type: activityType.optional() }))
    .output(page(activityItem)),
}
