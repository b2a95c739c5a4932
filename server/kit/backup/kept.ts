// Which backups stay: the newest of each of the last days, weeks and months that have one. All of the last
// 24 hours stay as well: one by hand, before an update or after a restore, must not take that of the night
// away.

export type Rule = { days: number; weeks: number; months: number }

export const defaultRule: Rule = { days: 7, weeks: 5, months: 12 }

/** The backups that the rule does not need any more. The newest one always stays. */
export function outdated<Backup extends { at: Date }>(backups: Backup[], rule: Rule): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const latest = newestFirst[0]?.at.getTime() ?? 0
  const kept = new Set(newestFirst.filter(({ at }) => at.getTime() > latest - dayMs))
  for (const [period, most] of [
    [dayOf, rule.days],
    [weekOf, rule.weeks],
    [monthOf, rule.months],
  ] as const) {
    const newest = new Map<string, Backup>()
    for (const backup of newestFirst) {
      const name = period(backup.at)
      if (!newest.has(name) && newest.size < most) newest.set(name, backup)
    }
    for (const backup of newest.values()) kept.add(backup)
  }
  return newestFirst.filter((backup) => !kept.has(backup))
}

const dayMs = 24 * 3600 * 1000

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const monthOf = (at: Date) => at.toISOString().slice(0, 7)
/** Weeks begin on Monday, as the first day of the epoch was a Thursday. */
const weekOf = (at: Date) => String(Math.floor((at.getTime() / dayMs + 3) / 7))
