import { defineConfig, devices } from '@playwright/test'
import type { Where } from './e2e/product.ts'
import { browserLaunchOptions } from './scripts/browser.ts'

export default defineConfig<object, { where: Where }>({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'dist/test/journeys',
  // Each journey runs the whole product with its own database and worker: one at a time leaves it the machine.
  workers: 1,
  // None of these is a promise of the product: they end what hangs, on the slowest machine too.
  timeout: 1_200_000,
  expect: { timeout: 60_000 },
  retries: 0,
  projects: [
    { name: 'embedded', use: { where: 'embedded' } },
    // The main job once more, on a server that the product did not start.
    { name: 'external', testMatch: 'exchange.test.ts', use: { where: 'external' } },
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
