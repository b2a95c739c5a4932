import { api } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { member } from '#server/kit/http/gates.ts'
import { markAllNoticesRead, markNoticeRead } from './inbox.ts'
import { listNoticePreferences, setNoticePreference } from './preferences.ts'
import { listActivity, listNotices } from './reads.ts'

const calls = api.notifications

export const notificationProcedures: Procedures<'notifications'> = {
  listNoticePreferences: calls.listNoticePreferences.by(member, (ctx) => listNoticePreferences(ctx)),
  setNoticePreference: calls.setNoticePreference.by(member, (ctx, input) => setNoticePreference(ctx, input)),
  listNotices: calls.listNotices.by(member, (ctx, input) => listNotices(ctx, input)),
  markNoticeRead: calls.markNoticeRead.by(member, (ctx, { id }) => markNoticeRead(ctx, id)),
  markAllNoticesRead: calls.markAllNoticesRead.by(member, (ctx) => markAllNoticesRead(ctx)),
  listActivity: calls.listActivity.by(member, (ctx, input) => listActivity(ctx, input)),
}
