import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Words that code and texts used to have of their own, each with the term that replaced it. The dots keep
// this list from finding itself.
const replaced: Record<string, string> = {
  'h·ouses?': 'server, web',
  'r·ooms?': 'module; space',
  h·all: 'shared kit',
  'd·oors?': 'public files, npm script, sign-in page, public API',
  'd·eeds?': 'action',
  'w·alks?': 'walkthrough',
  w·alked: 'went through',
  't·ells?': 'notify, say',
  t·old: 'notified, recipients',
  'h·ears?|h·eard|h·earers?': 'recipients',
  'w·hoIs|o·penWho': 'authenticate',
  'n·obody|s·omebody|w·hoever': 'no member, a visitor, a user, the caller',
  'w·ish|w·ishe[sd]': 'input',
  'f·orgets?|f·orgotten': 'delete, expire',
  'a·dmits?|a·dmitted': 'complete the sign-in, accept',
  'w·ays in': 'sign-in methods',
  'l·evelled|l·evelMs': 'withMinimumDuration',
  c·ircumstances: 'request context',
  'c·atalogue|f·ates?': 'data inventory, erasure rule',
  u·seLate: 'lazy',
  l·etBothSidesKnow: 'notifyBoth',
  'd·isowns?|d·isowned': 'report',
  's·peakRefusals|r·efusalW·ords': 'mapRefusals, refusalMessage',
  't·own|d·ice': 'demo simulator, seeded random',
  's·pecimens?': 'example',
  'o·pen figures': 'public statistics',
  a·new: 'again',
  'l·aid out': 'say what it is',
}

/** A migration is never edited. */
const exempt = /^db\/migrations\//
/** A file name, an address and the system user. */
const phrases = new RegExp(
  String.raw`docs/w·alk\.md|/verify-email/dis·own|['\`]n·obody['\`]|or n·obody`.replaceAll('·', ''),
  'gi',
)

/** An icon of the library. */
const icon = 'D·oor Open'.replace('·', '')

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean)
const texts = tracked
  .filter((path) => /\.(tsx?|mjs|mts|md|sql|css|html)$|^\.env|^\.ci\//.test(path) && !exempt.test(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').replaceAll(phrases, '').split('\n') }))
  .map((text) => ({ ...text, inParts: text.lines.map(withParts) }))

/** A line, and after it the words of its identifiers: those of seenAt and SEEN_AT are seen and at. */
function withParts(line: string): string {
  const parts = line.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  return `${line} | ${parts.replaceAll(icon, '')}`
}

test.each(Object.entries(replaced))('“%s” gave way to: %s', (spelled) => {
  const word = new RegExp(`(?<![\\w-])(${spelled.replaceAll('·', '')})(?![\\w-])`, 'i')
  const found = texts.flatMap(({ path, lines, inParts }) =>
    inParts.flatMap((line, at) => (word.test(line) ? [`${path}:${at + 1}: ${lines[at]?.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

test('no file or identifier calls its messages or labels words', () => {
  const named = /\b(?!pass)[a-z]+Words\b|[\w-]+-words\.tsx?\b/
  const found = texts.flatMap(({ path, lines }) =>
    [path, ...lines].flatMap((line) =>
      named.test(line) && !/\b(count|review|different)Words\b/.test(line) ? [`${path}: ${line.trim()}`] : [],
    ),
  )
  expect(found).toEqual([])
})
