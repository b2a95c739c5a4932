import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { markdown } from './scripts/markdown.ts'

// The React that people get. The one for development takes a fifth of the browser tests' time for its checks.
process.env['NODE_ENV'] = 'production'

const launchOptions = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: `--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync`.split(/\s+/),
}

/** The articles: Markdown, which the imports of package.json do not cover. */
const texts = { '#content': fromHere('content') }

// Time limits here end tests that hang, on the slowest machine too; they are no promise of the product.
// Vitest's default for polling is one second, which a busy machine may need for a click.
const patience = { poll: { timeout: 30_000 } }
// CI tries a failed test once more, and scripts/suites.ts lists it.
const retry = process.env.CI ? 1 : 0

// Files that need no process of their own share one: loading the modules takes longer than many of the tests.
const shared = { isolate: false, maxWorkers: 4 }
// The tests of passwords themselves run at the real cost.
const atRealCost = 'server/**/passwords.test.ts'

// A change of these can affect every test on the database; `npm run check` then leaves none of them out. No
// test imports the worker for pictures or the thread for passwords: they run by themselves.
const affectsEveryTest = `package-lock.json vitest.config.ts tsconfig*.json db/** server/testing/**
  server/kit/uploads/image-worker.ts server/accounts/passwords/hash-thread.ts`

export default defineConfig({
  test: {
    forceRerunTriggers: affectsEveryTest.split(/\s+/).map((path) => `**/${path}`),
    projects: [
      {
        plugins: [markdown()],
        resolve: { alias: texts },
        test: {
          name: 'unit',
          include: ['{contract,web,checks,scripts,db,sandbox}/**/*.test.{ts,mts}', atRealCost],
          exclude: ['**/*.browser.test.*', 'db/**/*.db.test.ts'],
          testTimeout: 120_000,
          retry,
          ...shared,
        },
      },
      {
        resolve: {
          alias: [
            {
              find: /^.*\/passwords\/hash-threads\.ts$/,
              replacement: fromHere('server/testing/cheap-argon2.ts'),
            },
          ],
        },
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'db/**/*.db.test.ts'],
          exclude: [atRealCost],
          globalSetup: ['server/testing/cluster.ts'],
          expect: patience,
          testTimeout: 120_000,
          hookTimeout: 300_000,
          retry,
          ...shared,
        },
      },
      {
        // Attacks on the built product; `npm test` builds it first.
        test: {
          name: 'security',
          include: ['security/**/*.test.ts'],
          globalSetup: ['security/cluster.ts'],
          expect: patience,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          retry,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [markdown(), react(), tailwindcss()],
        resolve: { alias: texts },
        // Lists every dependency in advance: one found later reloads the page during a test. The public pages
        // have a build of their own.
        optimizeDeps: {
          entries: ['web/**/*.{ts,tsx}', '!web/marketing/**'],
          // Of the page and the worker that check a draw.
          include: [
            'react-dom/server',
            '@noble/curves/bls12-381.js',
            '@noble/hashes/hmac.js',
            '@noble/hashes/sha2.js',
            '@noble/hashes/utils.js',
          ],
        },
        test: {
          name: 'browser',
          include: ['web/**/*.browser.test.tsx'],
          setupFiles: ['web/shell/testing-setup.ts'],
          expect: patience,
          testTimeout: 120_000,
          retry,
          // How long a file may take to load, in milliseconds.
          env: { VITEST_BROWSER_IFRAME_TIMEOUT: '300000' },
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // Dates and numbers are written the same way on every machine.
            provider: playwright({
              launchOptions,
              contextOptions: { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' },
            }),
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
