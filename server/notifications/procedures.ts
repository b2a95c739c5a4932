import { api, member } from '#server/kit/http/api.ts'
import { markAllNoticesRead, markNoticeRead } from './inbox.ts'
import { listNoticePreferences, setNoticePreference } from './preferences.ts'
import { listActivity, listNotices } from './reads.ts'

const calls = api.notifications

export const notificationProcedures = {
  listNoticePreferences: calls.listNoticePreferences
    .use(member)
    .handler(({ context: { ctx } }) => listNoticePreferences(ctx)),
  setNoticePreference: calls.setNoticePreference.use(member).handler(async ({ context: { ctx }, input }) => {
    await setNoticePreference(ctx, input)
    return { ok: true as const }
  }),
  listNotices: calls.listNotices
    .use(member)
    .handler(({ context: { ctx }, input }) => listNotices(ctx, input)),
  markNoticeRead: calls.markNoticeRead.use(member).handler(async ({ context: { ctx }, input }) => {
    await markNoticeRead(ctx, input.id)
    return { ok: true as const }
  }),
  markAllNoticesRead: calls.markAllNoticesRead.use(member).handler(async ({ context: { ctx } }) => {
    await markAllNoticesRead(ctx)
    return { ok: true as const }
  }),
  listActivity: calls.listActivity
    .use(member)
    .handler(({ context: { ctx }, input }) => listActivity(ctx, input)),
}
