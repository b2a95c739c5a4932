import { number, percent, wholeShare } from '#contract/format.ts'
import { figureMinimum, smallestCount } from '#contract/site.ts'

/** What a small club reads in place of a figure. */
export const tooSmall = `Shown once there are ${figureMinimum.members} members.`

/** What is shown in place of a small count. */
export const fewer = `fewer than ${smallestCount}`

/** A count that is null while it is too small to show. */
export function countOf(count: number | null): string {
  return count === null ? fewer : number(count)
}

/** The end of a method, where the parts of a figure are too small to show. */
export const onlyShare = ` The counts aren’t shown while one of them is ${fewer}.`

/** '12 min', '3.5 h', '26 h', '4 days'. */
export function formatHours(hours: number): string {
  if (hours < 1) return `${Math.max(1, Math.round(hours * 60))} min`
  if (hours < 10) return `${(Math.round(hours * 10) / 10).toString()} h`
  if (hours < 72) return `${Math.round(hours)} h`
  return `${Math.round(hours / 24)} days`
}

/** A share in whole percent: 0% and 100% only for none and all. */
export function share(part: number, all: number): string {
  return percent(wholeShare(part, all))
}
