// A club is backed up while it works, members leave, the backup is tried, and then the machine is lost: the
// backup is restored on another one, and the members who left are erased again. The restored club is backed
// up into a bucket, and that backup is tried too.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#scripts/free-port.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { startS3 } from '#server/testing/s3.ts'
import { populate, settingsOf } from './club.ts'
import type { Member } from './club.ts'
import { ask, startCluster } from './cluster.ts'
import { quote, runCommand } from './commands.ts'
import { startAll } from './npm-start.ts'
import { failuresOf, lostWrites, showTable, smoke, startTraffic } from './smoke.ts'
import type { Stage } from './stage.ts'
import { plainEdge } from './visitor.ts'
import type { Edge } from './visitor.ts'

const clubSize = 600
const fileCount = 40
const leavers = 3

export async function runRestore(stage: Stage): Promise<boolean> {
  const port = await freePort()
  const backups = join(stage.folder, 'backups')
  const identity = join(stage.folder, 'identity')
  const keys = await runCommand(
    stage,
    'new-key',
    ['backup', '--new-key', identity],
    await settingsOf(stage, {}),
  )
  const settings = await settingsOf(stage, {
    PORT: String(port),
    // The log is where the ids of erased members are found when the database is lost.
    LOG_LEVEL: 'info',
    BACKUP_DIR: backups,
    BACKUP_RECIPIENT: /BACKUP_RECIPIENT=(\S+)/.exec(keys)?.[1] ?? '',
    BACKUP_IDENTITY: identity,
  })
  const club = await startAll(stage, settings, port)
  const admin = adminOf(settings)
  const members = await populate(admin, settings, clubSize)
  // npm start refuses a database with addresses of the demo.
  await ask(admin, [`update members set email = replace(email, '@evenhand.example', '@members.example')`])
  await putFiles(settings.DATA_DIR ?? '')
  console.log(`  a club of ${clubSize} members and ${fileCount} files, ready after ${club.seconds} s`)
  const edge = plainEdge(port)

  const before = await traffic(edge, members.slice(0, 60), async () => {})
  let copied = ''
  let copiedIn = 0
  const during = await traffic(edge, members.slice(60, 160), async () => {
    const began = performance.now()
    copied = await runCommand(stage, 'backup', ['backup'], settings)
    copiedIn = (performance.now() - began) / 1000
    console.log(quote(copied))
  })
  const left = await leave(edge, members.slice(200, 200 + leavers))
  console.log(`  ${left} members deleted their accounts after the backup`)
  console.log(quote(await runCommand(stage, 'try', ['restore', '--drill'], settings)))
  const shown = await edge.ask('GET', '/api/status', {})
  const drill = (JSON.parse(shown.text) as { restoreDrill: { seconds: number } | null }).restoreDrill
  console.log(`  /status ${drill ? `shows the drill (${drill.seconds} s)` : 'SHOWS NO DRILL'}`)

  const lostAt = Date.now()
  await club.program.kill()
  await rm(settings.DATA_DIR ?? '', { recursive: true, force: true })
  edge.close()
  const [backup = ''] = await readdir(backups)
  const other = { ...settings, DATA_DIR: join(stage.folder, 'other-machine') }
  await mkdir(other.DATA_DIR)
  console.log('  the machine is lost (kill -9 of everything, its disk wiped); on another one:')
  console.log(quote(await runCommand(stage, 'restore', ['restore', join(backups, backup)], other)))
  const log = join(stage.folder, 'erased')
  await writeFile(log, linesWith(stage.logOf('npm-start'), 'an account was erased'))
  console.log(quote(await runCommand(stage, 'again', ['erase-again'], other, { input: log })))
  await startAll(stage, other, port)
  const rto = (Date.now() - lostAt) / 1000

  const place = adminOf(other)
  const back = plainEdge(port)
  const stayed = await lostWrites(place, before.acknowledged)
  const gone = await lostWrites(place, during.acknowledged)
  const [counts] = await ask(place, [
    `select count(*)::int as all, count(*) filter (where erased_at is not null)::int as erased from members`,
  ])
  const kept = await countFiles(other.DATA_DIR)
  console.log(
    `  RPO: since the backup ${gone.lost} acknowledged writes of ${gone.acknowledged} are lost, before`,
  )
  console.log(`    that moment ${stayed.lost} of ${stayed.acknowledged}. A backup a day loses up to a day.`)
  console.log(`  RTO: ${rto.toFixed(1)} s from the loss to the first answer`)
  console.log(`  ${counts?.all} members, ${counts?.erased} of them erased; ${kept} of ${fileCount} files`)
  showTable(
    ['backup and restore', 'measured'],
    [
      ['copy of the running club, with the start of its command', `${copiedIn.toFixed(1)} s`],
      ['what was copied', /\d+ rows and \d+ files in [\d.]+ \w+/.exec(copied)?.[0] ?? 'not said'],
      ['requests meanwhile, failed', `${before.failed + during.failed} of ${before.sent + during.sent}`],
      ['acknowledged writes before it, lost', `${stayed.lost} of ${stayed.acknowledged}`],
      ['acknowledged writes since it, lost', `${gone.lost} of ${gone.acknowledged}`],
      ['RTO, from the loss to the first answer', `${rto.toFixed(1)} s`],
      ['the drill of the backup', drill ? `${drill.seconds} s` : 'not shown'],
    ],
  )
  const fine = await smoke(back, members.slice(300, 340), place)
  back.close()
  await moveOut(stage, other, join(backups, backup))
  const whole = counts?.all === clubSize && counts.erased === leavers && kept === fileCount
  return (
    fine &&
    whole &&
    drill !== null &&
    stayed.lost === 0 &&
    before.failed + during.failed + leavers - left === 0
  )
}

/** The same backup into another version of PostgreSQL, by a login that is no superuser. */
async function moveOut(stage: Stage, settings: Record<string, string>, backup: string) {
  const cluster = await startCluster(stage, 'own')
  const own = { ...settings, DATA_DIR: join(stage.folder, 'own-files'), DATABASE_URL: cluster.url }
  console.log(`  the same backup into a PostgreSQL ${cluster.version} of one's own:`)
  console.log(quote(await runCommand(stage, 'move', ['restore', backup], own)))
  console.log('  and from there into a bucket, and back:')
  const bucket = { ...own, BACKUP_DIR: '', ...(await startBucket(stage)) }
  console.log(quote(await runCommand(stage, 'back-up-again', ['backup'], bucket)))
  console.log(quote(await runCommand(stage, 'try-again', ['restore', '--drill'], bucket)))
}

/** The settings of a bucket for backups, of a server by others that checks signatures. */
async function startBucket(stage: Stage) {
  const { config, stop } = await startS3()
  stage.onEnd(stop)
  return {
    BACKUP_S3_ENDPOINT: config.endpoint,
    BACKUP_S3_BUCKET: config.bucket,
    BACKUP_S3_REGION: config.region,
    BACKUP_S3_ACCESS_KEY_ID: config.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: config.secretAccessKey,
  }
}

function adminOf({ DATA_DIR: dataDir = '' }: Record<string, string>): PgConnection {
  return { host: join(dataDir, 'postgres', 'sock'), port: 5432, user: 'postgres', database: 'evenhand' }
}

async function putFiles(dataDir: string) {
  const files = openFiles({ dataDir })
  for (let n = 0; n < fileCount; n += 1) await files.put(newFileKey(), randomBytes(50_000))
}

async function countFiles(dataDir: string) {
  let count = 0
  for await (const _ of openFiles({ dataDir }).list('')) count += 1
  return count
}

/** Members write while `work` is done. */
async function traffic(edge: Edge, members: Member[], work: () => Promise<void>) {
  const running = startTraffic(edge, members)
  await sleep(2000)
  await work()
  await sleep(1000)
  const { reads, writes, acknowledged } = await running.stop()
  const sent = [...reads, ...writes]
  console.log(`  ${sent.length} requests, failures: ${failuresOf(sent)}`)
  const failed = sent.filter(({ status }) => status === 0 || status >= 400).length
  return { acknowledged, sent: sent.length, failed }
}

async function leave(edge: Edge, members: Member[]): Promise<number> {
  let left = 0
  for (const { headers } of members) {
    const me = JSON.parse((await edge.ask('GET', '/api/me', headers)).text) as { username: string }
    const body = JSON.stringify({ username: me.username })
    const { status, text } = await edge.ask('POST', '/api/account/erasure', headers, body)
    if (status < 300 && status > 0) left += 1
    else console.log(`  a member could not leave: ${status} ${text}`)
  }
  return left
}

function linesWith(text: string, part: string) {
  return text
    .split('\n')
    .filter((line) => line.includes(part))
    .join('\n')
}
