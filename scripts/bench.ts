// npm run bench: measures what must be fast, shows it, and keeps it in bench/figures.md. A name narrows it:
// matching, quality, api, live or pages.
import { measureApi } from '../bench/api.ts'
import { stopAll } from '../bench/ending.ts'
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
  api: measureApi,
  live: measureLive,
  pages: measurePages,
}
/** They measure the built web process. */
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
      // What it measures with was taken from it.
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
  // The part goes on until the end, and what it measures with is taken from it.
  process.on('uncaughtException', () => {})
  await stopAll()
  process.exit(1)
}
