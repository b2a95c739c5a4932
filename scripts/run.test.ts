import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

test('a script whose output is closed stops what it started, and then ends', async () => {
  const main = `
    import { runScript } from './scripts/run.ts'
    await runScript(async (ended) => {
      while (!ended.aborted) {
        console.log('still here')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return 7
    })`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', main]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.server.json' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await once(child, 'exit')).toEqual([7, null])
})
