import { defineConfig, devices } from '@playwright/test'
import { browserLaunchOptions } from './scripts/browser.ts'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'dist/test/journeys',
  // Each journey runs the whole product with its own database and worker: one at a time leaves it the machine.
  workers: 1,
  timeout: 240_000,
  expect: { timeout: 15_000 },
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    launchOptions: browserLaunchOptions(),
  },
})
