// Starts one process: node scripts/process.mjs web | worker. It checks the Node version before any modern
// syntax is parsed.
import { existsSync } from 'node:fs'
import { loadEnvFile } from './env-file.mjs'
import { whyTooOld } from './node-version.mjs'

// npm run dev runs the sources through a loader.
const programs =
  process.env.EVENHAND_FROM === 'source'
    ? { web: '../server/main.ts', worker: '../server/worker.ts' }
    : { web: '../dist/server/main.js', worker: '../dist/server/worker.js' }

const program = programs[process.argv[2]]
const trouble =
  whyTooOld(process.versions.node) ??
  (program ? undefined : 'Say which process to run: node scripts/process.mjs web, or worker.') ??
  (existsSync(new URL(program, import.meta.url))
    ? undefined
    : 'Evenhand is not built yet: run npm run build.')

if (trouble) {
  console.error(trouble)
  process.exit(1)
}

process.setSourceMapsEnabled(true)
// npm start gives its processes their settings. One that runs by itself reads them as npm start does.
if (!process.channel) loadEnvFile()
// What is set for workers is read in the place of what all share. A message names what the operator wrote.
let nameOf = (setting) => setting
if (process.argv[2] === 'worker') {
  const { env } = process
  const own = ['DATABASE_URL', 'DATABASE_DIRECT_URL'].filter((setting) => env[`${setting}_WORKER`])
  for (const setting of own) env[setting] = env[`${setting}_WORKER`]
  nameOf = (setting) => (own.includes(setting) ? `${setting}_WORKER` : setting)
}
if (process.channel) {
  // Our parent was killed: stop as if asked to, so that the port is released.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

try {
  await import(program)
} catch (error) {
  console.error(
    error?.name === 'StartError' ? error.message.replaceAll(/\bDATABASE_(DIRECT_)?URL\b/g, nameOf) : error,
  )
  process.exit(1)
}
