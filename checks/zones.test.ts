// A test that names a day or an hour names its zone. Otherwise it passes or fails by place and time of day.
import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

const itself = 'checks/zones.test.ts'
const ofTests = /\.test\.tsx?$|\/testing(\.tsx?|\/)|^(e2e|security)\//

/** Code that takes its zone from the machine, and the code to write instead. */
const faults: [found: RegExp, instead: string][] = [
  [/new Date\([^()]*,[^()]*\)/g, "new Date(Date.UTC(…)) or new Date('2026-11-03T15:04:00Z')"],
  [/\.[gs]et(FullYear|Month|Date|Day|Hours|Minutes|Seconds|TimezoneOffset)\(/g, 'getUTC… or setUTC…'],
  [/\.to(Date|Time)String\(/g, 'toISOString()'],
  [withoutZone(String.raw`\.toLocale(?:Date|Time)?String`), 'toLocaleString(locale, { timeZone: … })'],
  [
    withoutZone(String.raw`Intl\.DateTimeFormat(?!\(\)\.resolvedOptions)`),
    'Intl.DateTimeFormat(locale, { timeZone: … })',
  ],
  [/(['"`])\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?\1/g, 'the same text with Z at its end'],
  [
    /(new Date|Date\.parse)\((['"`])(?![^'"`]*(GMT|Z|[+-]\d\d:?\d\d)\2)[A-Za-z][^'"`]*\2\)/g,
    'ISO text with Z',
  ],
]

test('no test makes or writes a date without a zone', () => {
  const folders = [
    'server',
    'web',
    'contract',
    'db',
    'scripts',
    'checks',
    'bench',
    'drills',
    'e2e',
    'security',
  ]
  const tests = readSources(folders, { tests: true }).filter(
    ({ path }) => ofTests.test(path) && path !== itself,
  )
  expect(tests.length).toBeGreaterThan(100)
  expect(tests.flatMap(({ path, text }) => faultsIn(text).map((fault) => `${path}: ${fault}`))).toEqual([])
})

test.each([
  'new Date(2026, 10, 3, 15, 4)',
  'new Date(year, month)',
  'began.getHours()',
  'day.setHours(0)',
  'day.getTimezoneOffset()',
  'day.toDateString()',
  'day.toLocaleDateString()',
  "day.toLocaleString('en', { dateStyle: 'medium' })",
  "new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(day)",
  "new Date('2026-01-01T10:00')",
  "'2026-01-01 10:00:00.5'",
  "Date.parse('Nov 3, 2026')",
])('%s has no zone', (text) => {
  expect(faultsIn(text)).toHaveLength(1)
})

test.each([
  'new Date(Date.UTC(2026, 7, 24 + at))',
  "new Date('2026-01-01T10:00:00.123Z')",
  "'2026-01-01T10:00+01:00'",
  "new Date('2026-01-01')",
  'new Date(Date.now() + hours)',
  'began.getUTCHours()',
  "day.toLocaleString('en', { timeZone: 'UTC' })",
  "new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: zoneOf(ada) }).format(day)",
  'Intl.DateTimeFormat().resolvedOptions().timeZone',
  "Date.parse('Sat, 21 Nov 2026 09:30:00 GMT')",
])('%s is the same everywhere', (text) => {
  expect(faultsIn(text)).toEqual([])
})

function faultsIn(text: string): string[] {
  return faults.flatMap(([found, instead]) =>
    [...text.matchAll(found)].map(([code]) => `${code} takes this machine’s zone; write ${instead}`),
  )
}

/** A call of this name without a time zone. */
function withoutZone(name: string): RegExp {
  return new RegExp(String.raw`${name}\((?!(?:[^()]|\([^()]*\))*timeZone)(?:[^()]|\([^()]*\))*\)`, 'g')
}
