// The entry of every npm script: node scripts/start.mjs <script> [arguments]. A fresh clone may run it with
// an old Node, so it is plain JavaScript for Node 18 without packages. It installs what is missing, finds
// Node 24 and runs scripts/<script>.ts.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withFolderLock } from '../server/kit/folder-lock.mjs'
import { noEnvFile } from './env-file.mjs'
import { whyTooOld } from './node-version.mjs'

const scripts = [
  'start',
  'build',
  'test',
  'test-rules',
  'dev',
  'check',
  'bench',
  'drill',
  'shots',
  'migrate',
  'types',
  'backup',
  'restore',
  'erase-again',
  'make-admin',
  'move-files',
  'release',
  'sbom',
]
/** These have clubs of their own. */
const trials = ['test', 'test-rules', 'check', 'bench', 'drill', 'shots']
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const lockfile = join(root, 'package-lock.json')
const stamp = join(modules, '.evenhand-installed')
const npmRecord = join(modules, '.package-lock.json')

const [script, ...rest] = process.argv.slice(2)
if (!scripts.includes(script)) refuse(`Usage: node scripts/start.mjs ${scripts.join(' | ')}`)
if (!existsSync(join(root, 'scripts', `${script}.ts`)))
  refuse(`There is no scripts/${script}.ts in this copy of Evenhand.`)

try {
  await installIfNeeded()
} catch (error) {
  refuse(
    `Evenhand cannot be installed in ${root} (${error.message}). Make the folder writable, then try again.`,
  )
}
handOver(findNode())

async function installIfNeeded() {
  if (isInstalled()) return
  mkdirSync(join(root, 'dist'), { recursive: true })
  const onWait = () => console.log('Another start is installing; waiting for it.')
  await withFolderLock(join(root, 'dist', 'install.lock'), { seconds: 600, onWait }, async (interrupted) => {
    if (interrupted || !isInstalled()) install()
  })
}

// Our stamp holds the lockfile's hash, so a touched or freshly checked out lockfile does not count as new.
// Without a stamp, npm's own record decides: npm writes it last, so a killed install has none.
function isInstalled() {
  if (!existsSync(join(modules, 'tsx', 'package.json')) || !existsSync(npmRecord)) return false
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === lockfileHash()
  if (statSync(npmRecord).mtimeMs < statSync(lockfile).mtimeMs) return false
  writeFileSync(stamp, lockfileHash())
  return true
}

function install() {
  // npm would empty the folder behind the link, which belongs to another copy.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink())
    refuse(
      'node_modules is a link to the packages of another copy: ' +
        'remove the link, then run the same command again.',
    )
  console.log('Installing packages (once, about half a minute)…')
  rmSync(stamp, { force: true })
  const options = ['ci', '--ignore-scripts', '--include=dev', '--include=optional']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const [command, first] = npm && /npm-cli\.c?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []]
  const done = spawnSync(command, [...first, ...options, ...quiet], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (done.error) refuse(`npm cannot be run (${done.error.message}): install Node with npm from nodejs.org.`)
  if (done.status !== 0)
    refuse(
      'The install did not finish; npm printed the reason above. Fix it, then run the same command again.',
    )
  writeFileSync(stamp, lockfileHash())
}

function lockfileHash() {
  return createHash('sha256')
    .update(readFileSync(lockfile))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
}

/** The Node from the lockfile if it runs on this system, otherwise the current one. */
function findNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const brought = join(modules, `node-${system}-${process.arch}`, 'bin', program)
  const version = existsSync(brought) ? spawnSync(brought, ['--version'], { encoding: 'utf8' }).stdout : null
  if (version && !whyTooOld(version.trim())) return brought
  const trouble = whyTooOld(process.versions.node)
  if (trouble) refuse(trouble)
  return process.execPath
}

function handOver(node) {
  const child = spawn(node, ['--import', 'tsx', join('scripts', `${script}.ts`), ...rest], {
    cwd: root,
    env: {
      ...process.env,
      ...(trials.includes(script) && noEnvFile),
      PATH: [dirname(node), join(modules, '.bin'), process.env.PATH].join(delimiter),
      TSX_TSCONFIG_PATH: join(root, 'tsconfig.server.json'),
    },
    // The channel closes when we are killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) endWithParent(child)
  child.on('error', (error) => refuse(`Node at ${node} cannot be run (${error.message}): run npm ci.`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

// npm runs us through a shell that ends without passing on the signal, so we watch for the parent's death.
function endWithParent(child) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
}

function refuse(sentence) {
  console.error(sentence)
  process.exit(1)
}
