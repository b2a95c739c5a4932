import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSources, resolveImport, type Source } from './sources.ts'

/** What others than our own source files call. */
const entryPoints = new Set([
  // Its plain JavaScript has the types beside it.
  'server/kit/folder-lock.d.mts',
  'scripts/env-file.d.mts',
  // The server loads it as built; scripts/public-pages.ts as Vite serves it.
  'web/marketing/render.tsx',
  'db/types.ts',
  // The alias of the password library leads there, by vitest.config.ts.
  'server/testing/cheap-argon2.ts',
])

test('every export is imported by another file', () => {
  const folders = 'server web contract db scripts checks bench drills e2e sandbox security'.split(' ')
  const atRoot = globSync('*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8'), imports: [] }))
  const message = 'remove the word export, or the whole thing where nothing uses it'
  expect(unimported([...readSources(folders, { tests: true }), ...atRoot]), message).toEqual([])
})

test('the check finds a function, a constant and a type, and follows both ways of writing a path', () => {
  const a =
    'export function used() {}\nexport const spare = 1\n' +
    'export type Spare = {}\nexport async function also() {}'
  const sources = [
    { path: 'server/a.ts', text: a, imports: [] },
    { path: 'server/b.ts', text: `import { used, type Other } from './a.ts'`, imports: [] },
    { path: 'web/c.ts', text: `import type {\n  also as same,\n} from '#server/a.ts'`, imports: [] },
  ]
  expect(unimported(sources)).toEqual(['server/a.ts: spare', 'server/a.ts: Spare'])
})

function unimported(sources: Source[]): string[] {
  const imported = new Set(sources.flatMap(namesImported))
  return sources
    .filter(({ path }) => !entryPoints.has(path) && !path.includes('.test.') && !imported.has(`${path}: *`))
    .flatMap(({ path, text }) => namesExported(text).map((name) => `${path}: ${name}`))
    .filter((each) => !imported.has(each))
}

function namesExported(text: string): string[] {
  const exported =
    /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm
  return [...text.matchAll(exported)].map(([, name = '']) => name)
}

/** As `path: name`; what is imported whole, such as by `import()`, as `path: *`. */
function namesImported({ path, text }: Source): string[] {
  const named = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([#.][^']+)'/g
  const whole = /(?:\*(?:\s+as\s+\w+)?\s+from|import\()\s*'([#.][^']+)'/g
  return [
    ...[...text.matchAll(named)].flatMap(([, names = '', from = '']) =>
      names.split(',').map((name) => {
        const [plain = ''] = name
          .trim()
          .replace(/^type /, '')
          .split(' as ')
        return `${resolveImport(path, from)}: ${plain}`
      }),
    ),
    ...[...text.matchAll(whole)].map(([, from = '']) => `${resolveImport(path, from)}: *`),
  ]
}
