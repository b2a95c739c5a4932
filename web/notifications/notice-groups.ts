import type { Notice } from '#contract/notifications.ts'
import { formatDate, serverNow } from '#web/kit/time.ts'

/** Notifications about one thing: the newest, and the earlier ones below it. */
export type NoticeGroup = { newest: Notice; earlier: Notice[] }

/** Puts notifications about one thing together, at the place of the newest. The newest come first. */
export function groupNotices(notices: readonly Notice[]): NoticeGroup[] {
  const groups = new Map<string, NoticeGroup>()
  for (const notice of notices) {
    const group = groups.get(notice.about)
    if (group) group.earlier.push(notice)
    else groups.set(notice.about, { newest: notice, earlier: [] })
  }
  return [...groups.values()]
}

/** The groups under the days of their newest notifications: 'Today', 'Yesterday', then dates. */
export function byDay(groups: readonly NoticeGroup[], now = serverNow()): [string, NoticeGroup[]][] {
  const days = new Map<string, NoticeGroup[]>()
  for (const group of groups) {
    const day = dayOf(group.newest.createdAt, now)
    days.set(day, [...(days.get(day) ?? []), group])
  }
  return [...days]
}

function dayOf(at: string, now: number): string {
  const day = formatDate(at)
  if (day === formatDate(now)) return 'Today'
  return day === formatDate(now - 24 * 3_600_000) ? 'Yesterday' : day
}

export function noticesOf({ newest, earlier }: NoticeGroup): Notice[] {
  return [newest, ...earlier]
}
