// What happens next: a heap of actions by time. Those of one moment happen in the order they were planned.
type Planned = { at: number; order: number; act: () => void | Promise<void> }

export class Timeline {
  readonly #heap: Planned[] = []
  #planned = 0

  plan(at: number, act: Planned['act']) {
    this.#heap.push({ at, order: (this.#planned += 1), act })
    for (let child = this.#heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1
      if (!this.#before(child, parent)) break
      this.#swap(child, parent)
      child = parent
    }
  }

  /** Takes the next action out; undefined when there is none. */
  next(): Planned | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (first && last && first !== last) {
      this.#heap[0] = last
      this.#sink()
    }
    return first
  }

  #sink() {
    for (let parent = 0; ;) {
      const left = 2 * parent + 1
      const least = [left, left + 1].reduce(
        (best, child) => (this.#before(child, best) ? child : best),
        parent,
      )
      if (least === parent) return
      this.#swap(parent, least)
      parent = least
    }
  }

  #before(one: number, other: number) {
    const a = this.#heap[one]
    const b = this.#heap[other]
    if (!a || !b) return false
    return a.at === b.at ? a.order < b.order : a.at < b.at
  }

  #swap(one: number, other: number) {
    const a = this.#heap[one]
    const b = this.#heap[other]
    if (!a || !b) return
    this.#heap[one] = b
    this.#heap[other] = a
  }
}
