import { globSync, readFileSync } from 'node:fs'

export type Source = { path: string; text: string; imports: string[] }

/** Every source file below these folders, with its imports. Tests are included on request only. */
export function readSources(folders: string[], { tests = false } = {}): Source[] {
  return globSync(folders.map((folder) => `${folder}/**/*.{ts,tsx,mts}`))
    .filter((path) => tests || !/\.test\.tsx?$|\/testing(\.ts|\/)/.test(path))
    .toSorted()
    .map((path) => {
      const text = readFileSync(path, 'utf8')
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '')
      return { path, text, imports }
    })
}

/** The path a relative or `#…` import leads to, from the repository's root; packages stay as they are. */
export function resolveImport(from: string, to: string) {
  if (to.startsWith('#')) return to.slice(1)
  if (!to.startsWith('.')) return to
  const parts = from.split('/').slice(0, -1)
  for (const part of to.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** The import cycles among these files, at least one of each knot: `a.ts → b.ts → a.ts`. */
export function findCycles(sources: Source[]): string[] {
  const importsOf = new Map(
    sources.map(({ path, imports }) => [path, imports.map((to) => resolveImport(path, to))]),
  )
  const cycles: string[] = []
  const done = new Set<string>()
  const chain: string[] = []

  function visit(path: string) {
    if (chain.includes(path)) cycles.push([...chain.slice(chain.indexOf(path)), path].join(' → '))
    if (done.has(path) || chain.includes(path)) return
    chain.push(path)
    for (const to of importsOf.get(path) ?? []) if (importsOf.has(to)) visit(to)
    chain.pop()
    done.add(path)
  }

  for (const { path } of sources) visit(path)
  return cycles
}
