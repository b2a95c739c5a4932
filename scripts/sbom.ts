// npm run sbom: writes dist/sbom.cdx.json, a bill of materials in the form of CycloneDX that names every
// package of the product with its version, hash and license, and dist/licenses.md, which people read.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartError } from '#server/kit/start-error.ts'
import { describeLicenses } from './licenses.ts'
import { productPackages, readLockfile } from './lockfile.ts'
import { runScript } from './run.ts'

type Bill = {
  bomFormat: string
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
type Component = {
  'bom-ref': string
  name: string
  version: string
  hashes?: unknown[]
  licenses?: unknown[]
}

if (import.meta.main) {
  await runScript(async () => {
    await mkdir('dist', { recursive: true })
    const bill = await makeBill()
    await writeFile('dist/sbom.cdx.json', `${JSON.stringify(bill, null, 1)}\n`)
    await writeFile('dist/licenses.md', describeLicenses(await readLockfile()))
    console.log(
      `dist/sbom.cdx.json names ${bill.components.length} packages; dist/licenses.md lists licenses.`,
    )
    return 0
  })
}

/** Whether this npm knows bills of materials: since 10.2. The one of Debian 12 is older. */
export async function npmMakesBills(): Promise<boolean> {
  const [major = 0, minor = 0] = (await runNpm('--version')).split('.').map(Number)
  return major > 10 || (major === 10 && minor >= 2)
}

/**
 * What npm reads from the lockfile, for all systems, without the packages of our tools and tests.
 * @throws StartError when npm is too old
 */
export async function makeBill(): Promise<Bill> {
  if (!(await npmMakesBills()))
    throw new StartError('A bill of materials needs npm 10.2 or newer: npm install --global npm@11')
  const format = ['--sbom-format=cyclonedx', '--sbom-type=application']
  // With NODE_ENV=production, npm would leave out packages that the product shares with a tool.
  const options = ['--package-lock-only', '--include=dev', ...format, '--loglevel=error']
  const all: Bill = JSON.parse(await runNpm('sbom', ...options))
  const product = new Set(
    productPackages(await readLockfile()).map(({ name, version }) => `${name}@${version}`),
  )
  const components = all.components.filter(({ name, version }) => product.has(`${name}@${version}`))
  const refs = new Set(components.map((component) => component['bom-ref']))
  const { component } = all.metadata
  return {
    ...all,
    // npm calls us by the name of our folder.
    metadata: { ...all.metadata, component: { ...component, name: 'evenhand' } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref) || ref === component['bom-ref'])
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  }
}

async function runNpm(...args: string[]): Promise<string> {
  const npm = process.env.npm_execpath
  const [command, first] = npm && /npm-cli\.c?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []]
  const { stdout } = await promisify(execFile)(command, [...first, ...args], {
    maxBuffer: 64 * 1024 * 1024,
    shell: command === 'npm' && process.platform === 'win32',
  })
  return stdout
}
