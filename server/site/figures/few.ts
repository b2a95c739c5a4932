// Counts that are too small to be published: each could point at a single person.
import { smallestCount } from '#contract/site.ts'

/** From 1 on: none at all points at no one. */
export function isFew(count: number): boolean {
  return count > 0 && count < smallestCount
}

/** Hides a count that is few; none is shown. */
export function noneOrMany(count: number): number | null {
  return isFew(count) ? null : count
}

/** Hides none as well, for counts of which none would say as much as one. */
export function unlessFew(count: number): number | null {
  return count < smallestCount ? null : count
}

/** The parts of a whole. One that is hidden alone could be found by subtraction. */
export function unlessAnyFew<Parts extends Record<string, number>>(parts: Parts): Parts | null {
  return Object.values(parts).some(isFew) ? null : parts
}
