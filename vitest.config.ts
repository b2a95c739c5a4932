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
const texts = { '#content': fromHere('content') }

// No limit of time here is a promise of the product: they end what hangs, on the slowest machine too.
// Vitest's own patience is a second, which a busy machine may need for a click.
const patience = { poll: { timeout: 30_000 } }

// What needs no process of its own shares one: loading the modules took longer than many of the tests.
const shared = { isolate: false, maxWorkers: 3 }
// The tests of passwords themselves run at the real cost.
const atRealCost = 'server/**/passwords.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [markdown()],
        resolve: { alias: texts },
        test: {
          name: 'unit',
          include: ['{contract,web,checks,scripts,db}/**/*.test.{ts,mts}', atRealCost],
          exclude: ['**/*.browser.test.*', 'db/**/*.db.test.ts'],
          testTimeout: 120_000,
          ...shared,
        },
      },
      {
        resolve: { alias: { '@node-rs/argon2': fromHere('server/testing/cheap-argon2.ts') } },
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'db/**/*.db.test.ts'],
          exclude: [atRealCost],
          globalSetup: ['server/testing/cluster.ts'],
          expect: patience,
          testTimeout: 120_000,
          hookTimeout: 300_000,
          ...shared,
        },
      },
      {
        // The built product from outside; `npm test` builds it first. It waits more than it works, so the
        // browser runs beside it.
        test: {
          name: 'security',
          include: ['security/**/*.test.ts'],
          globalSetup: ['security/cluster.ts'],
          expect: patience,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [markdown(), react(), tailwindcss()],
        resolve: { alias: texts },
        // Known beforehand, so that no dependency found midway reloads the page under a running test. The
        // public pages are made by a build of their own.
        optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/marketing/**'] },
        test: {
          name: 'browser',
          include: ['web/**/*.browser.test.tsx'],
          expect: patience,
          testTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
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

function fromHere(path: string) {
  return fileURLToPath(new URL(path, import.meta.url))
}
