// The files that the public pages load, under the names that the web build gave them. Development uses the
// sources.
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const id = 'virtual:site-assets'
const fonts = join(import.meta.dirname, '../node_modules/@fontsource-variable/inter/files')
const sources = {
  css: '/marketing/site.css',
  js: '/marketing/site.ts',
  drawCheck: '/marketing/draws/start.ts',
  font: `/@fs${join(fonts, 'inter-latin-wght-normal.woff2')}`,
}
/** Bytes of JavaScript, not compressed, that each script of the public pages may load at once. */
const mostScript = 10_000
type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

/** The module `virtual:site-assets`. `manifestPath` is the manifest of the web build. */
export function siteAssets(manifestPath: string): Plugin {
  let building = false
  return {
    name: 'site-assets',
    configResolved: ({ command }) => {
      building = command === 'build'
    },
    resolveId: { filter: { id: /^virtual:site-assets$/ }, handler: () => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:site-assets$/ },
      async handler() {
        const assets = building ? await readAssets(manifestPath) : sources
        return `export const assets = ${JSON.stringify(assets)}`
      },
    },
  }
}

async function readAssets(manifestPath: string) {
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest
  const root = join(dirname(manifestPath), '..')
  for (const entry of [sources.js, sources.drawCheck]) {
    const files = filesAtOnce(manifest, entry.slice(1))
    const bytes = await Promise.all(files.map(async (file) => (await stat(join(root, file))).size))
    if (bytes.reduce((sum, size) => sum + size, 0) > mostScript)
      throw new Error(`${entry} loads more than ${mostScript} bytes at once: ${files.join(', ')}.`)
  }
  return named(manifest)
}

/** The file of an entry, and all that it imports before it runs. */
function filesAtOnce(manifest: Manifest, name: string, known = new Set<string>()): string[] {
  if (known.has(name)) return []
  known.add(name)
  const { file, imports = [] } = manifest[name] ?? { file: '' }
  return [file, ...imports.flatMap((each) => filesAtOnce(manifest, each, known))]
}

function named(manifest: Manifest) {
  const entry = Object.entries(manifest)
  const script = manifest['marketing/site.ts']
  const drawCheck = manifest['marketing/draws/start.ts']
  const font = entry.find(([name]) => name.endsWith('/inter-latin-wght-normal.woff2'))?.[1]
  if (!script?.css?.[0] || !drawCheck || !font)
    throw new Error('The build has no script, stylesheet or font for the public pages.')
  return {
    css: `/${script.css[0]}`,
    js: `/${script.file}`,
    drawCheck: `/${drawCheck.file}`,
    font: `/${font.file}`,
  }
}
