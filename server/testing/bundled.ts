// A program of the tests as one file. One that starts for each moment of a test would otherwise transform all
// its modules each time, which is half of its work.
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll } from 'vitest'
import { packagesOutside } from '#scripts/packages.ts'

/** The path of the file, which is there while the tests of this file run. */
export function useBundled(source: string): string {
  // Inside the repository, where it finds its packages.
  const path = join('dist/test/programs', `${basename(source, '.ts')}-${process.pid}.mjs`)
  beforeAll(async () => {
    await build({
      entryPoints: [source],
      outfile: path,
      bundle: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      external: packagesOutside,
      jsx: 'automatic',
      logLevel: 'warning',
    })
  })
  afterAll(() => rm(path, { force: true }))
  return path
}
