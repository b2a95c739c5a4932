// The clock of the application's machine and that of the database's are set an hour forward and back, while
// members exchange reviews and sign in. Afterwards what they were answered is compared with the rows.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { setUpClock } from './clock/clocks.ts'
import { letEnd } from './clock/endings.ts'
import { watchSchedules } from './clock/schedules.ts'
import type { Schedules } from './clock/schedules.ts'
import { startSignIns } from './sign-ins.ts'
import { prepare, settingsOf, startWeb, startWorker } from './club.ts'
import { ask, startCluster } from './cluster.ts'
import { startExchange } from './faults/exchange.ts'
import { showColumns } from './faults/figures.ts'
import { ms } from './smoke.ts'
import type { Stage } from './stage.ts'
import { plainEdge } from './visitor.ts'

const hour = 3600
const steps = [
  { title: 'application an hour forward', machine: 'application', seconds: hour },
  { title: 'application an hour back', machine: 'application', seconds: -hour },
  { title: 'database an hour forward', machine: 'database', seconds: hour },
  { title: 'database an hour back', machine: 'database', seconds: -hour },
] as const
/** Many who do little: a member accepts three offers a day. */
const [traders, pauseMs, signers] = [120, 20_000, 8]
/** Most jobs of once a day run in the minutes after this moment. */
const start = 'T03:38:30Z'
/** The schedules of every minute run again within this time. */
const mostMs = 120_000
/** So long each step is watched at least: a minute comes to its end. */
const leastMs = 65_000
/** Sessions last thirty days. One that began while the clock was ahead ends by that much later. */
const longestHours = 30 * 24 + 1

export async function runClock(stage: Stage): Promise<boolean> {
  const ahead = secondsUntil(start)
  const clocks = {
    application: await setUpClock(stage, 'application', { ahead, threads: true }),
    database: await setUpClock(stage, 'database', { ahead, threads: false }),
  }
  const cluster = await startCluster(stage, 'postgres', { env: clocks.database.env })
  clocks.database.tidyUp([cluster.server])
  const { admin } = cluster
  const settings = await settingsOf(stage, { DATABASE_URL: cluster.url })
  await prepare(stage, settings)
  const own = { ...settings, ...clocks.application.env }
  const web = await startWeb(stage, 'web', own)
  const workers = ['worker1', 'worker2'].map((name) => startWorker(stage, name, own))
  clocks.application.tidyUp([web, ...workers])
  const edge = plainEdge(web.port)
  stage.onEnd(async () => edge.close())

  const sizes = { traders, payers: signers + steps.length, pauseMs }
  const crowd = await startExchange(stage, { admin, settings, edge }, sizes)
  const schedules = watchSchedules(admin, crowd.goesOn)
  const signIns = await startSignIns(admin, crowd, crowd.payers.slice(steps.length))
  const table: string[] = []
  let fine = true

  console.log(`  ${traders} members exchange, ${signers} sign in again and again`)
  showColumns()
  await crowd.part(
    'nothing happens',
    async () => void table.push(`nothing happens | ${ms(await untilRun(schedules))} | - | - | -`),
  )
  for (const [n, { title, machine, seconds }] of steps.entries()) {
    const [leaver] = crowd.payers.slice(n)
    if (!leaver) throw new Error('No one is left whose session may end.')
    const whenOver = await letEnd(admin, crowd, { holders: crowd.traders.slice(0, traders / 2), leaver })
    await crowd.part(title, async (mark) => {
      mark()
      await clocks[machine].step(seconds)
      if (machine === 'database') schedules.stepped()
      const [ended, backMs] = await Promise.all([whenOver(), untilRun(schedules)])
      const session = ended.signedIn ? 'goes on' : 'is over'
      table.push([title, ms(backMs), ended.offers, ended.accepted, session].join(' | '))
      fine &&= ended.accepted === 0 && backMs < mostMs
    })
  }
  const again = 'database, to minutes of daily jobs'
  await crowd.part(again, async (mark) => {
    const minute = schedules.lastDaily()
    if (minute === undefined) throw new Error('No job of once a day has run.')
    mark()
    await clocks.database.step(-(await secondsSince(admin, minute)))
    schedules.stepped()
    const backMs = await untilRun(schedules)
    table.push([again, ms(backMs), '-', '-', '-'].join(' | '))
    fine &&= backMs < mostMs
  })
  await crowd.finish([schedules.watching, ...signIns.acting])

  for (const line of table) console.log(`  | ${line} |`)
  const { runs, daily, twice } = schedules.figures()
  console.log(
    `  ${runs} runs of schedules, ${daily} of them of once a day; ${twice.length} ran twice`,
    ...twice,
  )
  const { good, others } = signIns.figures()
  console.log(`  ${good} sign-ins by password, ${others.length} others`, ...others)
  const hours = await longestSession(admin)
  console.log(`  the longest session ends in ${hours.toFixed(2)} hours (30 days: ${30 * 24})`)
  const errors = [web, ...workers].flatMap(({ name }) => errorsOf(stage.logOf(name)))
  console.log(`  ${errors.length} errors in the logs`)
  for (const line of errors.slice(0, 10)) console.log(`    ${line.slice(0, 400)}`)
  await crowd.judge()
  await Promise.all([...workers, web].map((program) => program.end('SIGTERM')))
  return (
    crowd.isFine() &&
    fine &&
    good > 0 &&
    twice.length + others.length + errors.length === 0 &&
    hours < longestHours
  )
}

/** From this machine's clock to the next such moment of a day. */
function secondsUntil(moment: string): number {
  const today = Date.parse(`${new Date().toISOString().slice(0, 10)}${moment}`)
  const seconds = Math.round((today - Date.now()) / 1000)
  return seconds > 0 ? seconds : seconds + 24 * hour
}

/** By the database's clock, since it began to show this minute last. */
async function secondsSince(admin: PgConnection, minute: string): Promise<number> {
  const [row] = await ask(admin, [
    `select extract(epoch from clock_timestamp() - ((clock_timestamp() at time zone 'UTC')::date
      + time '${minute}') at time zone 'UTC')::int as seconds`,
  ])
  return Number(row?.['seconds'])
}

/** Milliseconds until every schedule of every minute was filed and done after now. */
async function untilRun(schedules: Schedules): Promise<number> {
  const since = performance.now()
  while (!schedules.haveRun(since) && performance.now() - since < mostMs) await sleep(200)
  const took = performance.now() - since
  await sleep(Math.max(0, leastMs - took))
  return took
}

async function longestSession(admin: PgConnection): Promise<number> {
  const [row] = await ask(admin, [
    'select extract(epoch from max(expires_at) - clock_timestamp()) / 3600 as hours from sessions',
  ])
  return Number(row?.['hours'])
}

const errorsOf = (log: string) => log.split('\n').filter((line) => /"level":(50|60)/.test(line))
