// Members exchange reviews and pay while web processes, the worker, PostgreSQL and the proxy are killed,
// while mail, payments and the storage of files are away, and while the line to the database is long and
// loses packets. Afterwards what they were answered is compared with the rows, mails, charges and files.
import { writeFile } from 'node:fs/promises'
import { join as pathOf } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'selfsigned'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { openMailServer, readInbox } from '#server/testing/inbox.ts'
import { startS3 } from '#server/testing/s3.ts'
import { openSandbox } from '#sandbox/stripe/sandbox.ts'
import type { Sandbox } from '#sandbox/stripe/sandbox.ts'
import { freePort } from '#scripts/free-port.ts'
import { onDatabase } from '../bench/server.ts'
import { prepare, settingsOf, startWeb, startWorker } from './club.ts'
import type { Member, Web } from './club.ts'
import { ask, password, startCluster } from './cluster.ts'
import type { Outside } from './faults/compare.ts'
import { findBlindSpots, findBlindSpotsOfFiles } from './faults/damage.ts'
import { join, startExchange } from './faults/exchange.ts'
import type { Exchange } from './faults/exchange.ts'
import { farSettings, slowDown } from './faults/far-database.ts'
import { inFlight, repeat, showColumns, unavailable } from './faults/figures.ts'
import type { Allowed, Fault } from './faults/figures.ts'
import { sendJobs } from './faults/jobs.ts'
import { isUpload, openProofs, readKeptFiles, showUploads } from './faults/pictures.ts'
import { requireLoss } from './loss.ts'
import { startHaproxy } from './proxies.ts'
import { startSignIns } from './sign-ins.ts'
import { ms } from './smoke.ts'
import { findProgram, until } from './stage.ts'
import type { Running, Stage } from './stage.ts'
import { layWire } from './wire.ts'

/** How often, and how long. FAULTS=full takes about an hour instead of five minutes. */
const sizes = {
  short: {
    traders: 60,
    turnsPerSecond: 15,
    payEveryMs: 14_000,
    webKills: { times: 4, pauseMs: 5000 },
    rollings: 2,
    databaseKills: { times: 3, pauseMs: 5000 },
    workerKills: { times: 4, pauseMs: 3000 },
    outageMs: 15_000,
    slowMs: 15_000,
    poolSize: 50,
    randomKills: { times: 12, pauseMs: 2500 },
  },
  full: {
    // Three requests a day for each of them last for the hour.
    traders: 2000,
    turnsPerSecond: 20,
    payEveryMs: 180_000,
    webKills: { times: 20, pauseMs: 30_000 },
    rollings: 5,
    databaseKills: { times: 3, pauseMs: 20_000 },
    workerKills: { times: 20, pauseMs: 10_000 },
    outageMs: 600_000,
    slowMs: 600_000,
    poolSize: 200,
    randomKills: { times: 100, pauseMs: 5000 },
  },
}
const payers = 12
/** The share of proofs that are pictures. */
const pictures = 0.4
/** So many wait with theirs until the storage is away. */
const latecomers = 10
const jobsPerSecond = 50
/** What a worker does at least of them, on a machine that does other work too. */
const fewestPerSecond = 45
/** How long before the end of the outage the storage is cut off, and one of them tries to pay. */
const lateMs = 8000
/** The time that a service manager lets pass before it starts what has died. */
const restartMs = 250

export async function runFaults(stage: Stage): Promise<boolean> {
  findProgram('haproxy')
  requireLoss()
  const size = process.env['FAULTS'] === 'full' ? sizes.full : sizes.short
  const club = await startClub(stage, size)
  const { cluster, edge, sandbox } = club
  const pauseMs = (1000 * size.traders) / size.turnsPerSecond
  const crowd = await startExchange(
    stage,
    { ...club, admin: cluster.admin },
    { ...size, payers, pauseMs, pictures, latecomers },
  )
  const { history, goesOn, part } = crowd
  const pay = (me: Member, n: number) => join(history, me, { control: sandbox.control, cancels: n % 2 === 0 })
  const [unlucky, ...others] = crowd.payers
  const paying = [spread(others, { everyMs: size.payEveryMs, goesOn }, pay)]

  console.log(`  ${size.traders} members exchange, ${payers} newcomers pay`)
  showColumns()
  await part('nothing happens', () => sleep(8000))
  const webKill = async (n: number) => club.killWeb(n % 2)
  await part('F1 web kill -9', repeat(size.webKills, webKill), inFlight)
  await part('F2 rolling restart', repeat({ times: size.rollings, pauseMs: 1000 }, club.rollWebs))
  await part(
    'F3 PostgreSQL kill -9',
    repeat(size.databaseKills, () => cluster.crash(restartMs)),
    unavailable,
  )
  const keptPace = await killWorkers(club, crowd, size.workerKills)
  const meanwhile = await takeAway(club, crowd, size.outageMs, () => {
    if (unlucky) paying.push(pay(unlucky, 1))
  })
  await club.restartAll(farSettings(size.poolSize))
  const stoodDelay = await slowDown(stage, club.wires.database, crowd, size)
  await club.restartAll()
  const anyKill = () => {
    const kills = [webKill, club.killWorker, () => cluster.crash(restartMs), () => edge.crash(restartMs)]
    return kills[Math.floor(Math.random() * kills.length)]?.(Math.floor(Math.random() * 2))
  }
  await part('any of them, and the proxy', repeat(size.randomKills, anyKill), inFlight)

  await crowd.finish(paying)
  const opened = await openProofs(cluster.admin, edge, club.files, crowd.traders)
  await club.settle()
  const isWhole = await judge(club, crowd, opened)
  return showUploads(history, meanwhile) && meanwhile.signedIn && keptPace && stoodDelay && isWhole
}

/** Kills the worker again and again while jobs come beside those of the members. True when they kept pace. */
async function killWorkers(
  { cluster, settings, killWorker }: Club,
  { history, part, traders, goesOn }: Exchange,
  kills: { times: number; pauseMs: number },
): Promise<boolean> {
  let isTime = true
  const steady = sendJobs({ admin: cluster.admin, settings }, history, {
    memberId: traders[0]?.memberId ?? '',
    perSecond: jobsPerSecond,
    goesOn: () => isTime && goesOn(),
  })
  await part('F4 worker kill -9', repeat(kills, killWorker))
  isTime = false
  const { jobs, seconds } = await steady
  console.log(`    ${jobs} jobs came beside, ${(jobs / seconds).toFixed(1)} a second`)
  return jobs / seconds >= fewestPerSecond
}

/**
 * Takes mail, payments and files away, while members sign in as well. A storage that says nothing any more is
 * worse than one that is known to be away, so that one is first the one and then the other.
 */
async function takeAway(
  { cluster, wires, sandbox }: Club,
  { history, part, traders, goesOn, late }: Exchange,
  outageMs: number,
  tryToPay: () => void,
) {
  const meanwhile = { from: performance.now(), until: 0, signedIn: false }
  let isTime = true
  const beside = { history, goesOn: () => isTime && goesOn() }
  const signIns = await startSignIns(cluster.admin, beside, traders.slice(0, 4))
  const away: Fault = async (mark) => {
    mark()
    wires.mail.cut()
    wires.files.silence()
    late.wait = false
    await sandbox.control.fail({ how: 'break', next: 1_000_000 })
    await sleep(outageMs - lateMs)
    tryToPay()
    wires.files.cut()
    await sleep(lateMs)
    wires.mail.mend()
    wires.files.mend()
    await sandbox.control.recover()
    meanwhile.until = performance.now()
  }
  await part('F5 mail, payments and files away', away, whatNeedsThem)
  isTime = false
  await Promise.all(signIns.acting)
  const { good, others } = signIns.figures()
  console.log(`    ${good} sign-ins by password meanwhile, ${others.length} others`, ...others)
  return { ...meanwhile, signedIn: good > 0 && others.length === 0 }
}

/** While mail, payments and files are away, what needs them may say so, and nothing else. */
const whatNeedsThem: Allowed = (answer) =>
  unavailable(answer) && (isUpload(answer.path) || answer.path.startsWith('/api/billing/'))

async function startClub(stage: Stage, { poolSize }: { poolSize: number }) {
  // Two web processes and a worker, and the drill's own.
  const connections = String(3 * poolSize + 50)
  const cluster = await startCluster(stage, 'postgres', { settings: { max_connections: connections } })
  const storage = await openStorage(stage)
  const wires = {
    database: await layWire(stage, cluster.port),
    mail: await openMail(stage),
    files: storage.wire,
  }
  const [first, second] = [await freePort(), await freePort()]
  const sandbox = await openSandbox({
    // A delivery that meets a dead process is repeated.
    webhook: { url: `http://127.0.0.1:${first}/api/stripe/webhook` },
    webhookPauseMs: 200,
  })
  stage.onEnd(() => sandbox.close())
  const settings = await settingsOf(stage, {
    ...sandbox.env,
    DATABASE_URL: `postgres://club:${password}@127.0.0.1:${wires.database.port}/club`,
    SMTP_URL: `smtp://localhost:${wires.mail.port}`,
    ...storage.settings,
    NODE_EXTRA_CA_CERTS: pathOf(stage.folder, 'mail.pem'),
  })
  await prepare(stage, settings)
  const webs: Web[] = [
    await startWeb(stage, 'web1', settings, { port: first }),
    await startWeb(stage, 'web2', settings, { port: second }),
  ]
  let worker: Running = startWorker(stage, 'worker', settings)
  let present = settings
  const edge = await startHaproxy(stage, webs)
  const replace = async (n: number, signal: NodeJS.Signals) => {
    const web = webs[n]
    if (!web) return
    await web.end(signal)
    await sleep(restartMs)
    webs[n] = await startWeb(stage, web.name, present, { port: web.port })
  }
  async function rollWebs() {
    for (const n of webs.keys()) {
      await replace(n, 'SIGTERM')
      // The proxy looks once a second.
      await sleep(2000)
    }
  }
  return {
    cluster,
    wires,
    edge,
    sandbox,
    settings,
    files: storage.files,
    inbox: readInbox(pathOf(stage.folder, 'inbox')),
    killWeb: (n: number) => replace(n, 'SIGKILL'),
    rollWebs,
    async killWorker() {
      await worker.end('SIGKILL')
      await sleep(restartMs)
      worker = startWorker(stage, 'worker', present)
    },
    /** With other settings, or again with those from the start. */
    async restartAll(other: Record<string, string> = {}) {
      present = { ...settings, ...other }
      await rollWebs()
      await worker.end('SIGTERM')
      worker = startWorker(stage, 'worker', present)
    },
    /** Waits until nothing is left to do, and ends all processes. */
    async settle() {
      const began = performance.now()
      await sandbox.control.settled()
      await until('everything that waits is done', async () => (await countWaiting(cluster.admin)) === 0, {
        seconds: 120,
      })
      console.log(`  nothing waits ${ms(performance.now() - began)} after the last call`)
      await Promise.all([worker, ...webs].map((program) => program.end('SIGTERM')))
      console.log(`  ${await countInterrupted(cluster.admin)} jobs of killed workers are to be repeated`)
    },
  }
}

type Club = Awaited<ReturnType<typeof startClub>>

/** A mail server behind a wire, with a certificate that the club's processes trust. */
async function openMail(stage: Stage) {
  const tls = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  })
  await writeFile(pathOf(stage.folder, 'mail.pem'), tls.cert)
  const server = await openMailServer(pathOf(stage.folder, 'inbox'), { key: tls.private, cert: tls.cert })
  stage.onEnd(() => server.close())
  return layWire(stage, server.port)
}

/** A bucket behind a wire, and a way to it that is never cut. */
async function openStorage(stage: Stage) {
  const server = await startS3()
  stage.onEnd(() => server.stop())
  const wire = await layWire(stage, Number(new URL(server.config.endpoint).port))
  const { bucket, region, accessKeyId, secretAccessKey } = server.config
  return {
    wire,
    files: openFiles({ dataDir: '', s3: server.config }),
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${wire.port}`,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  }
}

async function countWaiting(admin: PgConnection): Promise<number> {
  const [row] = await ask(admin, [
    `select (select count(*) from mails where sent_at is null and failed_at is null)
      + (select count(*) from stripe_events where processed_at is null)
      + (select count(*) from pgboss.job where state in ('created', 'retry') and name <> 'dead-letters'
        and name not like '\\_\\_pgboss%') as waiting`,
  ])
  return Number(row?.['waiting'])
}

/** Jobs whose worker was killed: they are repeated when their time, five minutes at most, is over. */
async function countInterrupted(admin: PgConnection): Promise<number> {
  const [row] = await ask(admin, [`select count(*) as jobs from pgboss.job where state = 'active'`])
  return Number(row?.['jobs'])
}

/** Begins one after the other, so that some meet each fault. */
async function spread<T>(
  all: T[],
  { everyMs, goesOn }: { everyMs: number; goesOn: () => boolean },
  act: (one: T, n: number) => Promise<void>,
) {
  const begun: Promise<void>[] = []
  for (const [n, one] of all.entries()) {
    if (!goesOn()) break
    begun.push(act(one, n))
    await sleep(everyMs)
  }
  await Promise.all(begun)
}

async function judge(
  { cluster, inbox, sandbox, files }: Club,
  crowd: Exchange,
  opened: Set<string>,
): Promise<boolean> {
  const outside: Outside = {
    opened,
    files: await readKeptFiles(files),
    mails: inbox.letters.map(({ messageId }) => messageId.replace(/^<|@.*$/g, '')),
    charged: await readCharged(cluster.admin, sandbox),
  }
  const found = await crowd.judge(outside)
  console.log(`    ${outside.mails.length} mails arrived, ${found.mailsAgain} again under one Message-ID`)
  console.log(`    ${outside.files.length} files are kept, ${found.leftFiles} without a row`)
  const { givenUp } = found
  const times = [...Map.groupBy(givenUp, (name) => name)].map(([name, all]) => `${all.length} ${name}`)
  console.log(
    `    ${givenUp.length} jobs were left to the next run of their schedule: ${times.join(', ') || '-'}`,
  )
  const { entries } = crowd.history
  const spots = await onDatabase(cluster.admin, async (client) => [
    await findBlindSpots(client, entries, outside),
    await findBlindSpotsOfFiles(client, entries, { files, outside }),
  ])
  const unseen = spots.flatMap((each) => each.unseen)
  const tried = spots.reduce((sum, each) => sum + each.tried, 0)
  console.log(`  the comparison found ${tried - unseen.length} of ${tried} damages made on purpose`)
  for (const what of unseen) console.log(`    NOT FOUND: ${what}`)
  return crowd.isFine() && unseen.length === 0
}

/** Each charge of the partner, by the member who was charged. */
async function readCharged(admin: PgConnection, { origin, env }: Sandbox): Promise<string[]> {
  const rows = await ask(admin, [
    'select member_id, stripe_customer_id from memberships where stripe_customer_id is not null',
  ])
  const charged: string[] = []
  for (const { member_id: member, stripe_customer_id: customer } of rows) {
    const answer = await fetch(`${origin}/v1/charges?limit=100&customer=${customer}`, {
      headers: { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` },
    })
    const { data } = (await answer.json()) as { data: { paid: boolean }[] }
    charged.push(...data.filter(({ paid }) => paid).map(() => String(member)))
  }
  return charged
}
