import { z } from 'zod'
import { call, done, id, page, pageOf, time } from './kit.ts'

const priority = z.enum(['high', 'medium', 'low'])
const activityType = z.enum(['reviews', 'matching', 'billing'])
const activityStatus = z.enum(['success', 'error', 'pending', 'info'])

/** What members are told, by kind: what it is about, and which channels are on until they say otherwise. */
export const noticeKinds = {
  offers: { title: 'Offers', help: 'A product is offered to you, or an offer has run out.' },
  writing: { title: 'Reviews you write', help: 'Deadlines, reminders, and what became of your reviews.' },
  receiving: { title: 'Reviews of your products', help: 'Somebody reviews your product, or has finished.' },
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
      summary: 'What I am told, and by which channel',
    })
    .output(z.array(noticePreference)),
  setNoticePreference: call
    .route({
      method: 'PATCH',
      path: '/notifications/preferences',
      summary: 'What I want to be told of one kind, and how',
    })
    .input(z.strictObject({ kind: noticeKind, inApp: z.boolean(), byEmail: z.boolean() }))
    .output(done),
  listNotices: call
    .route({ method: 'GET', path: '/notifications', summary: 'What I was told, newest first' })
    .input(pageOf)
    .output(page(notice)),
  markNoticeRead: call
    .route({ method: 'POST', path: '/notifications/{id}/read', summary: 'I have read this' })
    .input(z.strictObject({ id }))
    .output(done),
  markAllNoticesRead: call
    .route({ method: 'POST', path: '/notifications/read', summary: 'I have read all of them' })
    .output(done),
  listActivity: call
    .route({ method: 'GET', path: '/activity', summary: 'What happened around me, newest first' })
    .input(pageOf.extend({ type: activityType.optional() }))
    .output(page(activityItem)),
}
