import type { EventIds, EventName } from '#contract/live.ts'
import { liveEvents } from '#contract/live.ts'
import { api } from '#web/api.ts'

type RefetchOn = Partial<Record<EventName, (ids: EventIds) => readonly unknown[][]>>

/** Activity is told of most actions, so each of them renews it; the inbox changes only by its own events. */
export const refetchOn: RefetchOn = {
  ...Object.fromEntries(
    liveEvents
      .filter((name) => /^(request|offer|review|membership)\./.test(name))
      .map((name) => [name, () => [api.notifications.listActivity.key()]]),
  ),
  'notice.created': inbox,
  'notice.read': inbox,
}

function inbox() {
  return [api.notifications.listNotices.key(), api.notifications.listActivity.key()]
}
