// The files that the public pages load, under the names that the web build gave them. Development uses the
// sources.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const id = 'virtual:site-assets'
const fonts = join(import.meta.dirname, '../node_modules/@fontsource-variable/inter/files')
const sources = {
  css: '/marketing/site.css',
  js: '/marketing/site.ts',
  drawCheck: '/marketing/draws/start.ts',
  font: `/@fs${join(fonts, 'inter-latin-wght-normal.woff2')}`,
}
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
        const assets = building
          ? named(JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest)
          : sources
        return `export const assets = ${JSON.stringify(assets)}`
      },
    },
  }
}

function named(manifest: Manifest) {
  const entry = Object.entries(manifest)
  const script = manifest['marketing/site.ts']
  const drawCheck = manifest['marketing/draws/start.ts']
  const font = entry.find(([name]) => name.endsWith('/inter-latin-wght-normal.woff2'))?.[1]
  if (!script?.css?.[0] || !drawCheck || !font)
    throw new Error('The build has no script, stylesheet or font for the public pages.')
  const loadedAtOnce = [script, drawCheck].flatMap(({ imports = [] }) => imports)
  const ofTheApp = loadedAtOnce.filter((name) => /^_(?:react|shell|shared|icons|parts)-/.test(name))
  if (ofTheApp.length > 0)
    throw new Error(`A script of the public pages loads a part of the app: ${ofTheApp.join(', ')}.`)
  return {
    css: `/${script.css[0]}`,
    js: `/${script.file}`,
    drawCheck: `/${drawCheck.file}`,
    font: `/${font.file}`,
  }
}
