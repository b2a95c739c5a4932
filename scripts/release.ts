// npm run release: makes dist/evenhand-<version>-<system>.tar.gz, which runs with nothing but itself: Node,
// the built product, the packages that it loads, PostgreSQL and the migrations.
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build as bundle } from 'esbuild'
import { StartError } from '#server/kit/start-error.ts'
import { buildIfStale } from './build.ts'
import { describeLicenses } from './licenses.ts'
import { readLockfile } from './lockfile.ts'
import { sizeOf } from './progress.ts'
import { packagesFor } from './release-packages.ts'
import { run, runScript } from './run.ts'
import { makeBill } from './sbom.ts'

/** The commands of the archive, and the script that each runs. */
const commands = {
  start: 'released-start',
  migrate: 'migrate',
  'make-admin': 'make-admin',
  'erase-again': 'erase-again',
  backup: 'backup',
  restore: 'restore',
  'move-files': 'move-files',
}
const copied = [
  'dist/server',
  'dist/web',
  'dist/pages',
  'db/invariants.sql',
  'deploy',
  'docs',
  'scripts/process.mjs',
  'scripts/node-version.mjs',
  'scripts/env-file.mjs',
  'scripts/verify-draw.mjs',
  'scripts/verify-ledger.mjs',
  'package.json',
  'LICENSE',
  '.env.example',
]
/** Beside the bundled commands, which read them from their own folder. */
const besideCommands = { 'db/migrations': 'migrations', 'db/seed/covers': 'covers' }
/** Programs of their own that the commands start. */
const helpers = ['server/kit/uploads/image-worker.ts', 'server/accounts/passwords/hash-thread.ts']

if (import.meta.main) {
  await runScript(async () => {
    const { path, bytes } = await makeRelease()
    console.log(`${path} has ${sizeOf(bytes)}. Its hash is in ${path}.sha256.`)
    return 0
  })
}

/** Makes the archive for this system. @throws StartError where there is no Node to put into it */
export async function makeRelease(): Promise<{ path: string; bytes: number }> {
  const system = `${process.platform}-${process.arch}`
  const node = join('node_modules', `node-${system}`, 'bin/node')
  if (!(await stat(node).catch(() => null)))
    throw new StartError(`There is no Node for ${system} among the packages: make the archive on Linux.`)
  await buildIfStale()
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  const name = `evenhand-${version}-${system}`
  const folder = join('dist/release', name)
  await rm('dist/release', { recursive: true, force: true })
  await mkdir(join(folder, 'bin'), { recursive: true })
  await cp(node, join(folder, 'bin/node'))
  await chmod(join(folder, 'bin/node'), 0o755)
  for (const path of copied) await cp(path, join(folder, path), { recursive: true })
  await bundleCommands(join(folder, 'commands'))
  for (const [from, to] of Object.entries(besideCommands))
    await cp(from, join(folder, 'commands', to), { recursive: true })
  for (const place of await packagesFor(folder)) await copyPackage(place, folder)
  await describe(folder)
  return pack(name)
}

async function bundleCommands(outdir: string) {
  const scripts = Object.entries(commands).map(([out, script]) => ({ in: `scripts/${script}.ts`, out }))
  const programs = helpers.map((path) => ({ in: path, out: path.replace(/^.*\/(.*)\.ts$/, '$1') }))
  await bundle({
    entryPoints: [...scripts, ...programs],
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    logLevel: 'warning',
  })
}

/** Licenses stay beside the code; maps and types are for those who change it. */
async function copyPackage(place: string, folder: string) {
  await cp(place, join(folder, place), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) =>
      !/\.(map|d\.[cm]?ts|tsbuildinfo)$/.test(path) &&
      !path.slice(place.length + 1).startsWith('node_modules'),
  })
}

async function describe(folder: string) {
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(await makeBill(), null, 1)}\n`)
  await writeFile(join(folder, 'licenses.md'), describeLicenses(await readLockfile()))
  await writeFile(join(folder, 'evenhand'), launcher())
  await chmod(join(folder, 'evenhand'), 0o755)
}

function launcher() {
  const names = Object.keys(commands)
  return `#!/bin/sh
# ./evenhand [${names.join(' | ')} | web | worker]: runs from its own folder, with its own Node.
cd "$(dirname "$(readlink -f "$0")")" || exit 1
export NODE_ENV=production
command=\${1:-start}
[ $# -gt 0 ] && shift
# npm takes this away, and the pages are written for npm.
[ "\${1:-}" = -- ] && shift
case $command in
  web | worker) exec bin/node scripts/process.mjs "$command" ;;
  ${names.join(' | ')}) exec bin/node --enable-source-maps "commands/$command.js" "$@" ;;
  *) echo "Usage: ./evenhand ${names.join(' | ')} | web | worker" >&2; exit 1 ;;
esac
`
}

async function pack(name: string) {
  const path = `dist/${name}.tar.gz`
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=go-w,a+rX']
  if ((await run('tar', ['-C', 'dist/release', '-czf', path, ...owner, name])) !== 0)
    throw new StartError('tar could not write the archive, for the reason above.')
  await rm('dist/release', { recursive: true, force: true })
  const bytes = await readFile(path)
  const hash = createHash('sha256').update(bytes).digest('hex')
  await writeFile(`${path}.sha256`, `${hash}  ${name}.tar.gz\n`)
  return { path, bytes: bytes.length }
}
