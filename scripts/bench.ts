// npm run bench: measures speed, prints the figures, and keeps them in bench/figures.md. A name narrows it:
// matching, quality, lists, api, live or pages.
import { measureApi } from '../bench/api.ts'
import { stopAll } from '../bench/ending.ts'
import { measureLists } from '../bench/lists.ts'
import { measureLive } from '../bench/live.ts'
import { measureMatching } from '../bench/matching.ts'
import { measurePages } from '../bench/pages.ts'
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
  api: measureApi,
  live: measureLive,
  pages: measurePages,
}
/** The parts that measure the built web process. */
const onBuild = new Set(['api', 'live', 'pages'])

await runScript(async (ended) => {
  ended.addEventListener('abort', () => void endNow())
  const names = process.argv.slice(2)
  const unknown = names.find((name) => !Object.hasOwn(parts, name))
  if (unknown)
    throw new StartError(`There is no part ${unknown}: choose from ${Object.keys(parts).join(', ')}.`)
  const chosen = Object.entries(parts).filter(([name]) => names.length === 0 || names.includes(name))
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
    }
  }
  console.log('\nKept in bench/figures.md.')
  return 0
})

/** On a signal, even in the middle of a part: keeps no result and leaves no process behind. */
async function endNow() {
  // The part still runs while its server and connections are stopped.
  process.on('uncaughtException', () => {})
  await stopAll()
  process.exit(1)
}
