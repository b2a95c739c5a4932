// What every public page loads, by the names that the build of the web gave it. In development, where nothing is named yet, the sources.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const id = 'virtual:site-assets'
const sources = {
  css: '/marketing/site.css',
  js: '/marketing/site.ts',
  font: `/@fs${join(import.meta.dirname, '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')}`,
}
type Manifest = Record<string, { file: string; css?: string[] }>

/** The module `virtual:site-assets`. `manifestPath` is where the build of the web wrote its record. */
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
  const font = entry.find(([name]) => name.endsWith('/inter-latin-wght-normal.woff2'))?.[1]
  if (!script?.css?.[0] || !font)
    throw new Error('The build has no script, stylesheet or font for the public pages.')
  return { css: `/${script.css[0]}`, js: `/${script.file}`, font: `/${font.file}` }
}
