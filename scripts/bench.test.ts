// A bench that is stopped in the middle of a part leaves no process and no file behind, and a simulated club
// keeps the rules.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { measureFairness, runOrdinary } from '../bench/fairness.ts'
import { withServer } from '../bench/server.ts'

// One for both benches, since the second one finds what tsx transformed for the first.
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenhand-ending-'))
  // The database's user needs to pass through it.
  await chmod(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const patience = { timeout: 100_000, interval: 200 }

test.skipIf(process.platform !== 'linux').each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a running part',
  async (signal) => {
    const figures = await readFile('bench/figures.md', 'utf8')
    const bench = spawn(process.execPath, ['--import', 'tsx', 'scripts/bench.ts', 'matching'], {
      env: { ...process.env, TMPDIR: folder, TSX_TSCONFIG_PATH: 'tsconfig.server.json' },
      stdio: 'ignore',
    })
    const ended = once(bench, 'exit')
    // This connection shows that the part has started.
    await vi.waitFor(async () => expect(await processesOf(folder)).toContain('club_1000'), patience)
    bench.kill(signal)
    expect(await ended).toEqual([1, null])
    expect(await processesOf(folder)).toBe('')
    expect((await readdir(folder)).filter((name) => name.startsWith('evenhand-'))).toEqual([])
    expect(await readFile('bench/figures.md', 'utf8')).toBe(figures)
  },
  240_000,
)

test('a simulated club breaks no rule, and a run of the same seed draws the same', async () => {
  const span = { seed: 1, days: 3, warmUpDays: 0 }
  const club = await withServer(
    async (make) => {
      for await (const result of measureFairness(make, 8, span)) if (result.hostile) return result
    },
    { fast: true },
  )
  if (!club?.hostile) throw new Error('The hostile club is missing.')
  for (const { breaches, figures } of [club.product, club.hostile]) {
    expect(breaches).toEqual([])
    expect(figures.exchanges).toBeGreaterThan(2)
    expect(figures.wait.p50).toBeGreaterThan(0)
    expect(figures.offersPerAcceptance).toBeGreaterThanOrEqual(1)
    expect([figures.reverseInWindow, figures.repeatedInWindow]).toEqual([0, 0])
  }
  for (const model of [club.fifo, club.random]) expect(model.exchanges).toBeGreaterThan(2)
  const again = await withServer((make) => runOrdinary(make, 8, span), { fast: true })
  expect(again.figures).toEqual(club.product.figures)
}, 240_000)

/** The command lines of all processes that name this folder, and of the children of those. */
async function processesOf(folder: string) {
  const found: { pid: string; parent: string; command: string }[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    found.push({ pid, parent: /^PPid:\s*(\d+)/m.exec(status)?.[1] ?? '', command })
  }
  const named = new Set(found.filter(({ command }) => command.includes(folder)).map(({ pid }) => pid))
  return found
    .filter(({ pid, parent }) => named.has(pid) || named.has(parent))
    .map(({ command }) => command.replaceAll('\0', ' ').trim())
    .join('\n')
}
