import { restHours } from '#contract/matching-rules.ts'
import type { Cooldown } from '#contract/matching.ts'

/** When the cooldown and the rest are both over, and when the later of them began. */
export function waitOf({ cooldownUntil, lastDeclineReset, restUntil, refusals }: Cooldown, now: number) {
  const cooldown = cooldownUntil ? Date.parse(cooldownUntil) : 0
  const rest = restUntil ? Date.parse(restUntil) : 0
  if (rest > cooldown) return { isRest: true, until: rest, start: rest - restHours(refusals) * 3_600_000 }
  return { isRest: false, until: cooldown, start: lastDeclineReset ? Date.parse(lastDeclineReset) : now }
}
