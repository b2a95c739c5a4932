import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('./web'),
  plugins: [react(), tailwindcss(), preloadFont()],
  resolve: {
    alias: { '#web': here('./web'), '#contract': here('./contract') },
  },
  build: {
    outDir: here('./dist/web'),
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    target: 'es2023',
    // An inline script or a data: URL would need an exception in the content security policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Chunks run in the order of the imports: kit/strict.ts must come before the first schema is made.
    rolldownOptions: { output: { strictExecutionOrder: true } },
  },
  server: {
    fs: { allow: [here('.')] },
    proxy: Object.fromEntries(
      ['/api', '/files', '/livez', '/readyz', '^/dev/'].map((path) => [
        path,
        { target: process.env['EVENHAND_WEB_ORIGIN'] ?? 'http://localhost:3000', changeOrigin: false },
      ]),
    ),
  },
})

/** Asks for the latin letters together with the page, instead of after its stylesheet. */
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
