// The lockfile: which packages an install brings, and from where. Each has the hash of its archive, and all
// come from the one registry that npm is set to.
import { readFile } from 'node:fs/promises'

export type Locked = {
  version?: string
  integrity?: string
  license?: string
  /** Inside the archive of the package around it, whose hash covers it. */
  inBundle?: boolean
  resolved?: string
  link?: boolean
  dependencies?: Named
  devDependencies?: Named
  optionalDependencies?: Named
  peerDependencies?: Named
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
type Named = Record<string, string>
/** `place` is where it lies, below our folder. */
export type Package = Locked & { name: string; place: string }
export type Lockfile = { lockfileVersion: number; packages: Record<string, Locked> }
const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'] as const
type Manifest = Partial<Record<(typeof groups)[number], Record<string, unknown>>>

export async function readLockfile(): Promise<Lockfile> {
  return JSON.parse(await readFile('package-lock.json', 'utf8'))
}

export async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile('package.json', 'utf8'))
}

/** Every package with its name, without ourselves. The same package may be there in several places. */
export function packagesOf({ packages }: Lockfile): Package[] {
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, locked]) => ({ ...locked, place, name: place.replace(/^.*node_modules\//, '') }))
}

/**
 * The packages that the product needs to run, on any system, without those of our tools and tests. npm's own
 * mark counts what a package of the product could be used with, such as a test runner.
 */
export function productPackages(lockfile: Lockfile): Package[] {
  const reached = new Set<string>()
  const waiting = ['']
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const needed = neededBy(lockfile.packages[place] ?? {}).map((name) => placeOf(lockfile, place, name))
    for (const each of needed) {
      if (each === undefined || reached.has(each)) continue
      reached.add(each)
      waiting.push(each)
    }
  }
  return packagesOf(lockfile).filter(({ place }) => reached.has(place))
}

function neededBy(locked: Locked): string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = locked
  const peers = Object.keys(peerDependencies).filter((name) => !locked.peerDependenciesMeta?.[name]?.optional)
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]
}

/** As Node finds a package: in the nearest folder above. An optional one of another system may be absent. */
function placeOf({ packages }: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const place = `${folder}${folder && '/'}node_modules/${name}`
    if (packages[place]) return place
    if (folder === '') return undefined
  }
}

/** One sentence for each package that could be replaced without anyone noticing. */
export function problemsOfLockfile(lockfile: Lockfile, manifest: Manifest): string[] {
  const { lockfileVersion } = lockfile
  return [
    ...(lockfileVersion === 3 ? [] : [`The lockfile has version ${lockfileVersion}, and this reads 3.`]),
    ...packagesOf(lockfile).flatMap((locked) => problemsOfPackage(locked)),
    ...problemsOfManifest(manifest),
  ]
}

function problemsOfPackage({ place, integrity, inBundle, resolved, link }: Package) {
  if (link) return [`${place} is a link to a folder.`]
  if (resolved) return [`${place} names a source of its own: ${resolved}.`]
  if (inBundle || /^sha512-[\w+/]{86}==$/.test(integrity ?? '')) return []
  return [`${place} has no SHA-512 of its archive.`]
}

/** A range would choose a version on the day of the next install; an address another source. */
function problemsOfManifest(manifest: Manifest) {
  return groups.flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))
      .map(([name, version]) => `package.json asks for ${name} as ${String(version)}, not as one version.`),
  )
}
