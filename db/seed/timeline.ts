/** What is going to happen in a simulated past, in the order of time. It ends at minute 0, the seed. */
export type Timeline = { now: number; readonly actions: Action[]; planned: number }

type Action = { at: number; order: number; run: () => void }

export function newTimeline(now: number): Timeline {
  return { now, actions: [], planned: 0 }
}

/** Plans an action. One that would come after the moment of the seed never happens. */
export function later(timeline: Timeline, at: number, run: () => void) {
  if (at > 0) return
  timeline.planned += 1
  timeline.actions.push({ at, order: timeline.planned, run })
}

/** Runs every action at its time, those of one moment in the order in which they were planned. */
export function play(timeline: Timeline) {
  for (let action = takeNext(timeline.actions); action; action = takeNext(timeline.actions)) {
    timeline.now = action.at
    action.run()
  }
}

function takeNext(actions: Action[]) {
  if (actions.length === 0) return undefined
  actions.sort((one, other) => other.at - one.at || other.order - one.order)
  return actions.pop()
}
