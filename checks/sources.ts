import { globSync, readFileSync } from 'node:fs'

export type Source = { path: string; text: string; imports: string[] }

/** Every source file of the repository below these folders, with what it imports. Tests are left out unless asked for. */
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
