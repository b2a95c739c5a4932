import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean)
const texts = tracked
  .filter(
    (path) =>
      /\.(ts|tsx|mjs|mts|md|json|sql|css|html|sh|yaml)$|^\.ci\//.test(path) && path !== 'package-lock.json',
  )
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

test('the repository names no machine and no package registry', () => {
  // Written in parts, so that this file does not find itself.
  const names = new RegExp(
    ['/wo' + 'rk/', 'registry\\.npm' + 'js', 'deb\\.deb' + 'ian\\.org', '/home/\\w', '/ro' + 'ot/'].join('|'),
  )
  expect(texts.filter(({ text }) => names.test(text)).map(({ path }) => path)).toEqual([])
})

test('nothing is left for later in a comment', () => {
  const later = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`)
  expect(
    texts.filter(({ path, text }) => path !== 'STYLE.md' && later.test(text)).map(({ path }) => path),
  ).toEqual([])
})

test('the guides name files that exist', () => {
  const names = [
    'README.md',
    'ARCHITECTURE.md',
    'STYLE.md',
    'docs/walk.md',
    'docs/runbook.md',
    'docs/operating.md',
    'docs/operating/club.md',
    'docs/operating/one-machine.md',
    'docs/operating/own-postgresql.md',
    'docs/operating/several-processes.md',
    'docs/operating/pgbouncer.md',
    'docs/operating/primary-and-standby.md',
    'docs/content.md',
  ]
  const guides = texts.filter(({ path }) => names.includes(path))
  expect(guides).toHaveLength(13)
  const folders = '\\.ci|bench|checks|content|contract|db|deploy|docs|drills|e2e|scripts|security|server|web'
  const quoted = new RegExp(`\`((?:${folders})/[\\w./-]*)\``, 'g')
  const missing = guides.flatMap(({ path, text }) =>
    [...text.matchAll(quoted)]
      .map((match) => match[1] ?? '')
      .filter(
        (named) =>
          !tracked.some(
            (file) => file === named || file.startsWith(named.endsWith('/') ? named : `${named}/`),
          ),
      )
      .map((named) => `${path}: ${named}`),
  )
  expect(missing, 'the guide is out of date').toEqual([])
})

test('code and prose stay within 110 columns', () => {
  const isTable = /^\s*\|/
  const exempt = /^(db\/migrations\/|db\/(schema|types)\.|bench\/figures\.md)|\.json$/
  const wide = texts
    .filter(({ path }) => !exempt.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => {
        const counts = !(path.endsWith('.md') && isTable.test(line))
        return counts && [...line].length > 110 ? [`${path}:${at + 1}`] : []
      }),
    )
  expect(wide).toEqual([])
})

test('no page, mail or text presents ratings as something to win', () => {
  const claims = new RegExp(
    [
      '(boost|raise|improve|increase)[^.]{0,20} (your )?(rating|stars)',
      String.raw`(5|five)[- ]star review|positive reviews?\b`,
    ].join('|'),
    'i',
  )
  const spoken = texts.filter(
    ({ path }) => /^(web|content|contract|server\/.*emails|db\/seed)/.test(path) && !path.includes('.test.'),
  )
  expect(spoken.filter(({ text }) => claims.test(text)).map(({ path }) => path)).toEqual([])
})

test('every address is built in web/paths.ts, or checked by the router’s types', () => {
  // A file, for example the icon, is not a page.
  const literal = /href=["'`{]+\/[a-z](?![\w/-]*\.\w+["'])/
  const breaches = readSources(['web'])
    .filter(
      ({ path }) => path !== 'web/paths.ts' && path !== 'web/routes.tsx' && !path.startsWith('web/kit/'),
    )
    .filter(({ text }) => literal.test(text))
  expect(breaches.map(({ path }) => path)).toEqual([])
})

test('nothing that decides reads a rating', () => {
  const matching = readSources(['server/matching', 'server/membership', 'server/members', 'server/accounts'])
  expect(matching.filter(({ text }) => /\brating\b/i.test(text)).map(({ path }) => path)).toEqual([])
})

test('nothing that decides a case reads a rating, or its stars', () => {
  const comments = /^\s*(\/\/|\/?\*).*$/gm
  const reads = readSources(['server/moderation'])
    .filter(({ path }) => !path.includes('.test.'))
    .filter(({ text }) => /\b(rating|stars)\b/i.test(text.replaceAll(comments, '')))
  expect(reads.map(({ path }) => path)).toEqual([])
})

test('of the analytics, only the owner’s own figure reads a rating', () => {
  const reads = readSources(['server/analytics', 'server/site'])
    .filter(({ path, text }) => !path.includes('.test.') && /\b(rating|stars)\b/i.test(text))
    .map(({ path }) => path)
  expect(reads).toEqual([
    'server/analytics/analytics-file.ts',
    'server/analytics/own.ts',
    // The parity of returns and removals, over the whole club.
    'server/site/statistics.ts',
  ])
})
