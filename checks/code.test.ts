// What the tools say of the code as a whole: its types, the lint rules (many of which need the types) and the
// format. They need no database and no browser, so they run beside other tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'

describe.concurrent('the code', () => {
  test.each(['contract', 'server', 'web'])('has the types that it claims: %s', async (part) => {
    const options = ['-p', `tsconfig.${part}.json`, '--noEmit', '--singleThreaded']
    expect(await faultsOf('typescript/bin/tsc', ...options)).toBe('')
  })

  test('breaks no rule of the linter', async () => {
    expect(await faultsOf('oxlint/bin/oxlint', '--type-aware')).toBe('')
  })

  test('is formatted; `npm run format` does it', async () => {
    expect(await faultsOf('oxfmt/bin/oxfmt', '--check')).toBe('')
  })
})

/**
 * What a package's program prints when it fails; nothing when it is content. Each has one core, because the
 * other tests need the others: with more, the programs do much of their work twice.
 */
async function faultsOf(script: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GOMAXPROCS: '1' }
  const child = spawn(process.execPath, [`node_modules/${script}`, ...args], { env })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (printed += part))
  const [code, signal]: unknown[] = await once(child, 'close')
  return code === 0 ? '' : printed || `It ended with ${String(code ?? signal)}.`
}
