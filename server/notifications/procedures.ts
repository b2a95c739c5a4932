import { api, limited } from '#server/kit/http/api.ts'
import type { Procedures } from '#server/kit/http/api.ts'
import { hour, minute } from '#server/kit/http/rate-limit.ts'
import { markAllNoticesRead, markNoticeRead, markNoticesRead } from './inbox.ts'
import { listNoticePreferences, setNoticePreference } from './preferences.ts'
import { addPushDevice, getPush, removePushDevice, testPush } from './push-devices.ts'
import { listActivity, listMyMails, listNotices } from './reads.ts'

const calls = api.notifications

export const notificationProcedures: Procedures<'notifications'> = {
  listNoticePreferences: calls.listNoticePreferences.by((ctx) => listNoticePreferences(ctx)),
  setNoticePreference: calls.setNoticePreference.by((ctx, input) => setNoticePreference(ctx, input)),
  listNotices: calls.listNotices.by((ctx, input) => listNotices(ctx, input)),
  markNoticeRead: calls.markNoticeRead.by((ctx, { id }) => markNoticeRead(ctx, id)),
  markNoticesRead: calls.markNoticesRead.by((ctx, { ids }) => markNoticesRead(ctx, ids)),
  markAllNoticesRead: calls.markAllNoticesRead.by((ctx) => markAllNoticesRead(ctx)),
  getPush: calls.getPush.by((ctx) => getPush(ctx)),
  addPushDevice: calls.addPushDevice
    .after(limited('push-devices', { hits: 30, seconds: hour }))
    .by((ctx, input) => addPushDevice(ctx, input)),
  removePushDevice: calls.removePushDevice.by((ctx, { id }) => removePushDevice(ctx, id)),
  testPush: calls.testPush
    .after(limited('push-test', { hits: 10, seconds: 10 * minute }))
    .by((ctx, { id }) => testPush(ctx, id)),
  listMyMails: calls.listMyMails.by((ctx) => listMyMails(ctx)),
  listActivity: calls.listActivity.by((ctx, input) => listActivity(ctx, input)),
}
