import { z } from 'zod'
import { call, done, id, page, pageOf, time } from './kit.ts'

export const priority = z.enum(['high', 'medium', 'low'])
export const activityType = z.enum(['reviews', 'matching', 'billing'])
export const activityStatus = z.enum(['success', 'error', 'pending', 'info'])

/** The badge of unread notifications: nothing at 0, '99+' above 99. */
export function badgeOf(count: number) {
  if (count <= 0) return null
  return count > 99 ? '99+' : String(count)
}

export const notice = z.object({
  id,
  title: z.string(),
  message: z.string(),
  priority,
  unread: z.boolean(),
  action: z.object({ label: z.string(), href: z.string() }).nullable(),
  createdAt: time,
})
export type Notice = z.infer<typeof notice>

export const activityItem = z.object({
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
