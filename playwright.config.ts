import { defineConfig, devices } from '@playwright/test'
import type { Where } from './e2e/product.ts'
import { browserLaunchOptions } from './scripts/browser.ts'

// About half of the journeys by their time; the others, and any new one, run on the external database.
const onEmbedded = ['accessible', 'decisions', 'kill', 'public*', 'reset'].map((name) => `**/${name}.test.ts`)
const mainJob = '**/exchange.test.ts'

export default defineConfig<object, { where: Where }>({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'dist/test/journeys',
  // Two products side by side, one on each kind of database. Each journey belongs to one of them, the main
  // job to both.
  workers: 2,
  // Time limits here end tests that hang, on the slowest machine too; they are no promise of the product.
  timeout: 1_200_000,
  expect: { timeout: 60_000 },
  // On CI a second try, which is listed: a race on a busy machine must not hide what the others found.
  retries: process.env.CI ? 1 : 0,
  projects: [
    { name: 'embedded', workers: 1, testMatch: [...onEmbedded, mainJob], use: { where: 'embedded' } },
    { name: 'external', workers: 1, testIgnore: onEmbedded, use: { where: 'external' } },
  ],
  forbidOnly: Boolean(process.env.CI),
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    launchOptions: browserLaunchOptions(),
  },
})
