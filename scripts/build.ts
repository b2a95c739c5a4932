// The production build: Vite builds the web into dist/web and the public pages into dist/pages, esbuild
// builds the processes into dist/server. Every text file of the web also gets its compressed forms, so that
// no request waits for compression.
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { withFolderLock } from '#server/kit/folder-lock.mjs'
import { StartError } from '#server/kit/start-error.ts'
import { loadPages } from '#server/site/pages.ts'
import { packagesOutside } from './packages.ts'
import { runScript, runTool } from './run.ts'

const stampFile = 'dist/.stamp'
const inputs = [
  '{web,contract,server,content,db}/**/*',
  'package-lock.json',
  'vite.config.ts',
  'scripts/{build,markdown,packages,site-assets}.ts',
]
const notInputs = /\.test\.tsx?$|\.sql$/
const processes = [
  'server/main.ts',
  'server/worker.ts',
  'server/kit/uploads/image-worker.ts',
  'server/accounts/passwords/hash-thread.ts',
]
const compressible = new Set(['.js', '.css', '.html', '.svg', '.json', '.txt', '.webmanifest'])

if (import.meta.main) {
  await runScript(async () => {
    await build()
    console.log('Built into dist/.')
    return 0
  })
}

/** Builds when a source file changed since the last build. Concurrent starts build once. */
export async function buildIfStale(): Promise<void> {
  if (await isFresh()) return
  await mkdir('dist', { recursive: true })
  const onWait = () => console.log('Another start is building; waiting for it.')
  await withFolderLock('dist/build.lock', { seconds: 300, onWait }, async () => {
    if (await isFresh()) return
    console.log('Building…')
    // In its own process, because the bundlers' memory would otherwise stay allocated while we run.
    const code = await runTool('tsx/dist/cli.mjs', ['scripts/build.ts'])
    if (code !== 0)
      throw new StartError('The build failed for the reasons above: fix them, then start again.')
  })
}

async function build() {
  const stamp = await hashOfInputs()
  await rm(stampFile, { force: true })
  await rm('dist/server', { recursive: true, force: true })
  const [vite, esbuild] = await Promise.all([import('vite'), import('esbuild')])
  await vite.build({ configFile: 'vite.config.ts', logLevel: 'warn' })
  // After the web build, because the pages link its files.
  await vite.build({ configFile: 'vite.config.ts', logLevel: 'warn', build: { ssr: 'marketing/render.tsx' } })
  await renderPages()
  await esbuild.build({
    entryPoints: processes.filter((path) => existsSync(path)),
    outdir: 'dist/server',
    entryNames: '[name]',
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    external: packagesOutside,
    jsx: 'automatic',
    // For readable stack traces; dist/server is never served.
    sourcemap: true,
    logLevel: 'warning',
  })
  await compress('dist/web')
  await writeFile(stampFile, stamp)
}

/** Renders every public page once, so that a broken page fails the build and not a visitor's request. */
async function renderPages() {
  const { pages, render } = await loadPages(join(process.cwd(), 'dist/pages/render.js'))
  const given = { origin: 'http://localhost', demo: false }
  for (const signedIn of [false, true])
    for (const payments of ['closed', 'test', 'live'] as const)
      for (const { path } of pages) await render(path, { ...given, payments, signedIn })
}

async function isFresh() {
  return existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === (await hashOfInputs())
}

async function hashOfInputs() {
  const hash = createHash('sha256')
  const files = globSync(inputs, { withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !notInputs.test(path))
  for (const path of paths.toSorted()) hash.update(`${path}\0`).update(await readFile(path))
  return hash.digest('hex')
}

async function compress(folder: string) {
  const files = globSync(`${folder}/**/*`).filter((path) => compressible.has(extname(path)))
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let path = files.pop(); path !== undefined; path = files.pop()) {
      const text = await readFile(path)
      const quality = {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
      }
      await writeFile(`${path}.br`, await promisify(brotliCompress)(text, quality))
      await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }))
    }
  })
  await Promise.all(workers)
}
