import { expect, test } from 'vitest'
import { outdated } from './kept.ts'

const at = (moment: string) => ({ at: new Date(moment) })
const rule = { days: 3, weeks: 2, months: 2 }
const left = (backups: { at: Date }[]) => {
  const gone = outdated(backups, rule)
  return backups
    .filter((each) => !gone.includes(each))
    .map((each) => each.at.toISOString().slice(0, 10))
    .toSorted()
}

test('the newest of each day, week and month stays, as many as the rule says', () => {
  const daily = Array.from({ length: 70 }, (_, n) => ({ at: new Date(Date.UTC(2026, 10, 23 - n, 2)) }))
  expect(left(daily)).toEqual([
    '2026-10-31',
    '2026-11-21',
    // The Sunday before is the last backup of its week.
    '2026-11-22',
    '2026-11-23',
  ])
})

test('of several backups of an earlier day the last one stays, and all of the last 24 hours', () => {
  const [night, before, after] = [at('2026-11-23T02:00Z'), at('2026-11-23T14:00Z'), at('2026-11-23T15:00Z')]
  expect(outdated([night, before, after], rule)).toEqual([])
  const tomorrow = at('2026-11-24T14:30Z')
  expect(outdated([night, before, after, tomorrow], rule)).toEqual([before, night])
})

test('days without a backup take none away', () => {
  const rare = [at('2026-11-23T02:00Z'), at('2026-09-01T02:00Z'), at('2026-05-01T02:00Z')]
  expect(left(rare)).toHaveLength(3)
})

test('the newest stays under any rule', () => {
  const only = at('2020-01-01T00:00Z')
  expect(outdated([only], { days: 0, weeks: 0, months: 0 })).toEqual([])
})
