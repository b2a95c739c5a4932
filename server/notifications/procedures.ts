import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { markAllNoticesRead, markNoticeRead } from './inbox.ts'
import { listNoticePreferences, setNoticePreference } from './preferences.ts'
import { listActivity, listNotices } from './reads.ts'

const calls = api.notifications

export const notificationProcedures: Procedures<'notifications'> = {
  listNoticePreferences: calls.listNoticePreferences.by((ctx) => listNoticePreferences(ctx)),
  setNoticePreference: calls.setNoticePreference.by((ctx, input) => setNoticePreference(ctx, input)),
  listNotices: calls.listNotices.by((ctx, input) => listNotices(ctx, input)),
  markNoticeRead: calls.markNoticeRead.by((ctx, { id }) => markNoticeRead(ctx, id)),
  markAllNoticesRead: calls.markAllNoticesRead.by((ctx) => markAllNoticesRead(ctx)),
  listActivity: calls.listActivity.by((ctx, input) => listActivity(ctx, input)),
}
