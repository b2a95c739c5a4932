// npm run bench: measures speed, prints the figures, and keeps them in bench/figures.md. A name narrows it:
// matching, quality, lists, search, api, live, pages, screens or draws; `--small` leaves out large clubs,
// `--large` adds the largest. Five parts run only when they are named, as they take long: `load` (half an
// hour with `--long`), `chaos`, `scale`, `plans` (of all lists in a large club), and `fairness` with the
// sizes of its clubs (20 100 300 1000, and 10000 with --large), which writes docs/fairness.md.
import { measureApi } from '../bench/api.ts'
import { measureChaos } from '../bench/chaos.ts'
import { measureDrawCheck } from '../bench/draw-check.ts'
import { stopAll } from '../bench/ending.ts'
import { runFairness } from '../bench/fairness.ts'
import { measureLoad } from '../bench/load.ts'
import { measureLists } from '../bench/lists.ts'
import { measureScreens } from '../bench/screens.ts'
import { measureScale } from '../bench/scale.ts'
import { measureSearch } from '../bench/search.ts'
import { measureLive } from '../bench/live.ts'
import { measureMatching } from '../bench/matching.ts'
import { measurePages } from '../bench/pages.ts'
import { measurePlans } from '../bench/plans.ts'
import { measureQuality } from '../bench/quality.ts'
import { keepSection, showSection } from '../bench/report.ts'
import { withServer } from '../bench/server.ts'
import { buildIfStale } from './build.ts'
import { StartError } from '#server/kit/start-error.ts'
import { runScript } from './run.ts'

const parts = {
  matching: measureMatching,
  quality: measureQuality,
  lists: measureLists,
  search: measureSearch,
  api: measureApi,
  live: measureLive,
  pages: measurePages,
  screens: measureScreens,
  draws: measureDrawCheck,
  load: measureLoad,
  chaos: measureChaos,
  scale: measureScale,
  plans: measurePlans,
}
/** These parts run only when they are named. */
const onlyNamed = new Set(['load', 'chaos', 'scale', 'plans'])
const lengths = new Set(['--small', '--large', '--long'])
/** The parts that measure the built web process. */
const onBuild = new Set(['api', 'live', 'pages', 'screens', 'draws', 'load'])

await runScript(async (ended) => {
  ended.addEventListener('abort', () => void endNow())
  const args = process.argv.slice(2)
  if (args[0] === 'fairness') return unlessEnded(ended, () => runFairness(args.slice(1)))
  const names = args.filter((name) => !lengths.has(name))
  const unknown = names.find((name) => !Object.hasOwn(parts, name))
  if (unknown)
    throw new StartError(
      `There is no part ${unknown}: choose from ${Object.keys(parts).join(', ')}, fairness.`,
    )
  const chosen = Object.entries(parts).filter(([name]) =>
    names.length === 0 ? !onlyNamed.has(name) : names.includes(name),
  )
  let failed = false
  for (const [name, measure] of chosen) {
    if (onBuild.has(name)) await buildIfStale()
    const sections = await withServer(measure).catch((error: unknown) => {
      // A part fails when a signal stops its server.
      if (!ended.aborted) throw error
      return []
    })
    if (ended.aborted) return 1
    for (const section of sections) {
      showSection(section)
      await keepSection(section)
      failed ||= section.failed ?? false
    }
  }
  console.log('\nKept in bench/figures.md.')
  return failed ? 1 : 0
})

/** A part fails when a signal stops its server. */
async function unlessEnded(ended: AbortSignal, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!ended.aborted) throw error
    return 1
  }
}

/** On a signal, even in the middle of a part: keeps no result and leaves no process behind. */
async function endNow() {
  // The part still runs while its server and connections are stopped.
  process.on('uncaughtException', () => {})
  await stopAll()
  process.exit(1)
}
