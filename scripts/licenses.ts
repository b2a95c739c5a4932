// The licenses of the packages, as an install brings them, against those that we accept.
import { packagesOf, productPackages, type Lockfile, type Package } from './lockfile.ts'

/** Accepted in the product and in its tools, with what each asks of those who pass the product on. */
const accepted: Record<string, string> = {
  MIT: 'its text stays beside the code',
  'MIT-0': 'nothing',
  ISC: 'its text stays beside the code',
  '0BSD': 'nothing',
  'BSD-2-Clause': 'its text stays beside the code',
  'BSD-3-Clause': 'its text stays beside the code',
  'Apache-2.0': 'its text and notices stay beside the code',
  'BlueOak-1.0.0': 'its text or address stays beside the code',
  Unlicense: 'nothing',
  'CC0-1.0': 'nothing',
  'Python-2.0': 'its text stays beside the code',
  'OFL-1.1': 'for fonts: they are not sold by themselves',
  'MPL-2.0': 'changes of its own files are published; we change none',
  // libvips, which sharp loads as a library of its own and which can be exchanged.
  'LGPL-3.0-or-later': 'it stays a library of its own, and changes of it are published; we change none',
}

/** Packages whose archive does not name a license in the form of today, with what their text says. */
const read: Record<string, string> = {
  busboy: 'MIT',
  format: 'MIT',
  'humanize-number': 'MIT',
  streamsearch: 'MIT',
}

type License = { name: string; version: string; license: string }

/** Every package and version once, by name. */
export function listLicenses(packages: Package[]): License[] {
  const all = packages.map(({ name, version = '', license }) => ({
    name,
    version,
    license: license ?? read[name] ?? 'none named',
  }))
  const once = new Map(all.map((one) => [`${one.name} ${one.version}`, one]))
  return [...once.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** One sentence for each package under a license that is not on our list. */
export function problemsOfLicenses(lockfile: Lockfile): string[] {
  return listLicenses(packagesOf(lockfile))
    .filter(({ license }) => !isAccepted(license))
    .map(({ name, version, license }) => `${name} ${version} is under ${license}, which is not accepted.`)
}

/** An expression: one side of an OR is enough, both sides of an AND are needed. */
export function isAccepted(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, ' ').trim()
  // Written with both, its brackets would matter: such a one goes on the list as a whole.
  if (/ or /i.test(plain) && / and /i.test(plain)) return false
  if (/ or /i.test(plain)) return plain.split(/ or /i).some((part) => Object.hasOwn(accepted, part.trim()))
  return plain.split(/ and /i).every((part) => Object.hasOwn(accepted, part.trim()))
}

/** A table for people: the licenses by what they ask, then every package that runs in the product. */
export function describeLicenses(lockfile: Lockfile): string {
  const all = listLicenses(productPackages(lockfile))
  const counts = Map.groupBy(all, ({ license }) => license)
  const summary = [...counts]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([license, of]) => `| ${license} | ${of.length} | ${asks(license)} |`)
  const rows = all.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)
  return [
    '# Licenses of the packages that run in Evenhand\n',
    '| license | packages | asks |\n| --- | --- | --- |',
    `${summary.join('\n')}\n`,
    '| package | version | license |\n| --- | --- | --- |',
    `${rows.join('\n')}\n`,
  ].join('\n')
}

function asks(expression: string) {
  const parts = expression.split(/[()]| and | or /i).map((part) => accepted[part])
  return [...new Set(parts)].filter((each) => each !== undefined).join('; ')
}
