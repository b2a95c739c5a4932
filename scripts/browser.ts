// Finds a Chromium for tests and screenshots. Nothing is downloaded at install time.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'
import { StartError } from '#server/kit/start-error.ts'
import { run, runTool } from './run.ts'

const flagsForRoot = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Launch options for Playwright and Vitest. The npm scripts put the path that `findOrInstallBrowser` found
 * into CHROMIUM_PATH.
 */
export function browserLaunchOptions(): { executablePath: string | undefined; args: string[] } {
  return {
    executablePath: process.env.CHROMIUM_PATH ?? findBrowser(),
    args: process.getuid?.() === 0 ? flagsForRoot : [],
  }
}

/**
 * The path of a Chromium that starts: CHROMIUM_PATH, the system's, Google Chrome, or Playwright's own. When
 * there is none, it downloads Playwright's; as root on Debian it installs the system's.
 * @throws StartError when there is none and none can be installed
 */
export async function findOrInstallBrowser(): Promise<string> {
  const found = findBrowser()
  if (found) return found
  console.log('Getting a browser for the tests (once)…')
  await runTool('playwright/cli.js', ['install', 'chromium'])
  const downloaded = findBrowser()
  if (downloaded) return downloaded
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    await run('apt-get', ['update', '-qq'])
    await run('apt-get', ['install', '-y', '-qq', 'chromium-headless-shell'])
    const installed = findBrowser()
    if (installed) return installed
  }
  throw new StartError(
    'No browser for the tests could be found or installed: install Chromium, or name one in CHROMIUM_PATH.',
  )
}

function findBrowser(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (starts(named)) return named
    throw new StartError(`CHROMIUM_PATH names ${named}, which does not start: correct it or unset it.`)
  }
  const candidates = [
    // Chromium without windows: the same pages for half the work.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'google-chrome')),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ]
  return candidates.find((path) => existsSync(path) && starts(path))
}

function starts(path: string) {
  return spawnSync(path, ['--version'], { timeout: 60_000 }).status === 0
}
