import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { markdown } from './scripts/markdown.ts'

const launchOptions = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: `--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update
    --disable-sync`.split(/\s+/),
}

/** The folder of the texts, which is not a folder of programs. */
const texts = { '#content': fileURLToPath(new URL('./content', import.meta.url)) }

// No limit of time here is a promise of the product: they end what hangs, on the slowest machine too. Vitest's own patience is a
// second, which a busy machine may need for a click.
const patience = { poll: { timeout: 30_000 } }

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [markdown()],
        resolve: { alias: texts },
        test: {
          name: 'unit',
          include: ['{contract,web,checks,scripts,db}/**/*.test.{ts,mts}'],
          exclude: ['**/*.browser.test.*', 'db/**/*.db.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'db/**/*.db.test.ts'],
          globalSetup: ['server/testing/cluster.ts'],
          expect: patience,
          testTimeout: 120_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        // The built product from outside; `npm test` builds it first.
        test: {
          name: 'security',
          include: ['security/**/*.test.ts'],
          globalSetup: ['security/cluster.ts'],
          expect: patience,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
        },
      },
      {
        plugins: [markdown(), react(), tailwindcss()],
        resolve: { alias: texts },
        // Known beforehand, so that no dependency found midway reloads the page under a running test. The public pages are
        // made by a build of their own.
        optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/marketing/**'] },
        test: {
          name: 'browser',
          include: ['web/**/*.browser.test.tsx'],
          expect: patience,
          testTimeout: 120_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // Whoever runs them, wherever: moments and figures are written in one way.
            provider: playwright({ launchOptions, contextOptions: { locale: 'en-US', timezoneId: 'UTC' } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
