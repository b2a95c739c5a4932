import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { minifyContractRouter } from '@orpc/contract'
import type { AnyContractRouter } from '@orpc/contract'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { defineConfig } from 'vite'
import type { BuildEnvironmentOptions, Plugin } from 'vite'
import { markdown } from './scripts/markdown.ts'
import { publicPages } from './scripts/public-pages.ts'
import { siteAssets } from './scripts/site-assets.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const browserBuild: BuildEnvironmentOptions = {
  outDir: here('./dist/web'),
  emptyOutDir: true,
  manifest: true,
  sourcemap: false,
  target: 'es2023',
  // An inline script or a data: URL would need an exception in the content security policy.
  modulePreload: { polyfill: false },
  assetsInlineLimit: 0,
  rolldownOptions: {
    input: {
      index: here('./web/index.html'),
      site: here('./web/marketing/site.ts'),
      drawCheck: here('./web/marketing/draws/start.ts'),
    },
    output: {
      codeSplitting: {
        groups: [
          // How the bundler loads more. It would be in the file of the app, which a public page would load.
          { name: 'preload', test: /vite\/preload-helper/, priority: 2 },
          { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 1 },
          // What the page that checks a draw shares with the app, so that it doesn't load the app for it.
          {
            name: 'parts',
            test: /\/web\/(kit\/ui\/(alert|link-button|spinner)\.tsx|paths\.ts)$/,
            priority: 1,
          },
          // Everything that every page needs, in one file instead of fifty.
          { name: 'shell', test: /\/web\/app\.tsx$/ },
          // A file for each of these too: a screen would load two dozen of a few hundred bytes instead.
          { name: 'icons', test: /\/node_modules\/lucide-react\//, minShareCount: 2, priority: 1 },
          { name: 'shared', minShareCount: 20 },
        ],
      },
    },
  },
}

const pagesBuild: BuildEnvironmentOptions = {
  outDir: here('./dist/pages'),
  emptyOutDir: true,
  copyPublicDir: false,
  target: 'node24',
}

// Two builds: the files that the browser loads, and the public pages that the server renders.
export default defineConfig(({ isSsrBuild }) => ({
  root: here('./web'),
  plugins: [
    markdown(),
    react(),
    tailwindcss(),
    publicPages(),
    siteAssets(here('./dist/web/.vite/manifest.json')),
    preloadFont(),
    callsWithoutSchemas(),
    schemasOnlyWhereUsed(),
  ],
  // A worker is one file: the policy of its own answer lets it import nothing.
  worker: { format: 'es', plugins: () => [schemasOnlyWhereUsed()] },
  resolve: {
    alias: { '#web': here('./web'), '#contract': here('./contract'), '#content': here('./content') },
  },
  build: isSsrBuild ? pagesBuild : browserBuild,
  // One file without dependencies: of a library of a thousand icons it holds the thirty in use.
  ssr: isSsrBuild ? { noExternal: true } : {},
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  server: {
    fs: { allow: [here('.')] },
    proxy: Object.fromEntries(
      [
        '^/api/',
        '^/files/',
        '^/images/',
        '^/avatars/',
        '^/unsubscribe',
        '^/contact$',
        '^/fairness/draws',
        '^/contact\\?',
        '/livez',
        '/readyz',
        '^/dev/',
        '^/demo-shop/',
      ].map((path) => [
        path,
        { target: process.env['EVENHAND_WEB_ORIGIN'] ?? 'http://localhost:3000', changeOrigin: false },
      ]),
    ),
  },
}))

/** The browser needs the method and path of each call only; the server checks the schemas. */
function callsWithoutSchemas(): Plugin {
  return {
    name: 'calls-without-schemas',
    apply: 'build',
    load: {
      filter: { id: /\/contract\/(staff\/)?index\.ts$/ },
      async handler(path) {
        const exported: Record<string, AnyContractRouter> = await import(pathToFileURL(path).href)
        const name = path.includes('/staff/') ? 'staffContract' : 'contract'
        const calls = exported[name]
        if (!calls) throw new Error(`${path} has no calls.`)
        const minified = JSON.stringify(minifyContractRouter(calls), (key, value) =>
          key === 'summary' ? undefined : value,
        )
        return `export const ${name} = ${minified}`
      },
    },
  }
}

/**
 * Marks the values of the contract as pure, so that a screen that imports a limit or a sentence does not load
 * its schemas. The bundler cannot know that these calls have no side effects.
 */
function schemasOnlyWhereUsed(): Plugin {
  return {
    name: 'schemas-only-where-used',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\/contract\/(staff\/)?[\w-]+\.ts$/ },
      handler(code) {
        const made = this.parse(code)
          .body.map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
          .flatMap((node) => (node?.type === 'VariableDeclaration' ? node.declarations : []))
          .flatMap(({ init }) =>
            init?.type === 'CallExpression' || init?.type === 'ObjectExpression' ? [init] : [],
          )
        return made.reduceRight(
          (text, { start, end }) =>
            `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
          code,
        )
      },
    },
  }
}

/** Loads the Latin font together with the page, instead of after its stylesheet. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) => {
        const font = Object.keys(bundle ?? {}).find((file) =>
          /inter-latin-wght-normal-[\w-]+\.woff2$/.test(file),
        )
        if (!font) throw new Error('The font that every page preloads is not in the build.')
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}
