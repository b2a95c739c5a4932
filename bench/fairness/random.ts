// Numbers that look random and follow from a seed, so that a run can be repeated. Each person has streams of
// their own: what one does never changes the numbers of another.
import { makeRandom } from '#db/seed/random.ts'

export type Random = () => number

/** A stream of numbers in [0, 1) that follows from these words. */
export function randomOf(...words: (string | number)[]): Random {
  let state = 0x811c9dc5
  for (const char of words.join(':')) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193)
  return makeRandom(state)
}

/** A length of time around a median, as people's are: most are short, a few are long. */
export function logNormal(random: Random, median: number, sigma: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return median * Math.exp(sigma * normal)
}

/** The time to the next of events that come so often on average. */
export const waitFor = (random: Random, mean: number) => -Math.log(1 - random()) * mean

/** How many events come where so many come on average. */
export function poisson(random: Random, mean: number): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count += 1
  return count
}

export function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const order = items.map((item) => ({ item, key: random() }))
  return order.toSorted((one, other) => one.key - other.key).map(({ item }) => item)
}
