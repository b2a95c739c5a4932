import { useState } from 'react'

/**
 * Which version of a thread each of the reader's own changes led to. What is pressed right after another
 * change is sent for the version after it, even before the thread was loaded again.
 */
export type OwnChanges = {
  record: (from: number, to: number) => void
  /** The version that a reader has seen who saw this one and made these changes since. */
  after: (version: number) => number
}

export function useOwnChanges(): OwnChanges {
  const [changes] = useState(() => {
    const next = new Map<number, number>()
    return {
      record(from: number, to: number) {
        // Versions only grow; a step that did not would lead around in a circle.
        if (to > from) next.set(from, to)
      },
      after(version: number) {
        let seen = version
        for (let to = next.get(seen); to !== undefined; to = next.get(seen)) seen = to
        return seen
      },
    }
  })
  return changes
}
