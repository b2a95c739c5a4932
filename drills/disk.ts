// The volume of the files is full, then read-only; the volume of the database is full, then the database is
// read-only. Members go on meanwhile, and everything goes on by itself when there is space.
import { execFileSync } from 'node:child_process'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '#server/kit/start-error.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { drawReceipt } from '#server/testing/receipt.ts'
import { prepare, settingsOf, startWeb, startWorker } from './club.ts'
import { ask, startCluster } from './cluster.ts'
import type { Cluster } from './cluster.ts'
import { startExchange } from './faults/exchange.ts'
import type { Trader } from './faults/exchange.ts'
import { showColumns, unavailable } from './faults/figures.ts'
import type { Fault } from './faults/figures.ts'
import { ms } from './smoke.ts'
import { until } from './stage.ts'
import type { Stage } from './stage.ts'
import { plainEdge } from './visitor.ts'
import type { Answer, Edge } from './visitor.ts'

const traders = 20
const faultMs = 8000

export async function runDisk(stage: Stage): Promise<boolean> {
  if (process.getuid?.() !== 0)
    throw new StartError('This drill mounts small volumes of its own, which only root may do.')
  const files = await mountVolume(stage, 'files', 3)
  const disk = await mountVolume(stage, 'disk', 400)
  const cluster = await startCluster({ ...stage, folder: disk.folder }, 'postgres')
  const settings = await settingsOf(stage, { DATABASE_URL: cluster.url })
  await prepare(stage, settings)
  const web = await startWeb(stage, 'web', settings)
  const worker = startWorker(stage, 'worker', settings)
  const edge = plainEdge(web.port)
  stage.onEnd(async () => edge.close())
  const crowd = await startExchange(
    stage,
    { admin: cluster.admin, settings, edge },
    { traders, payers: 1, pauseMs: 3000 },
  )
  const part = (title: string, fault: Fault) => crowd.part(title, fault, unavailable)
  let fine = true
  const upload = uploader(edge, crowd.traders)

  /** Uploads pictures until the answer is the expected one: a busy machine may answer that it is busy. */
  const say = async (title: string, expected: number) => {
    const began = performance.now()
    let answer = await upload()
    for (let n = 0; n < 20 && answer.status !== expected; n += 1) {
      await sleep(500)
      answer = await upload()
    }
    const isRight = answer.status === expected
    const took = ms(performance.now() - began)
    const wrong = isRight ? '' : ' NOT TO BE EXPECTED'
    console.log(`    ${title}: ${answer.status} ${sentenceOf(answer)}after ${took}${wrong}`)
    fine &&= isRight
  }

  console.log(`  ${traders} members exchange and upload pictures`)
  showColumns()
  await part('nothing happens', () => sleep(faultMs))
  await part('files: volume full', async (mark) => {
    await say('with space', 200)
    mark()
    await files.fill()
    await say('full', 507)
    await sleep(faultMs)
    await files.empty()
    await say('with space again', 200)
  })
  await part('files: read-only', async (mark) => {
    mark()
    files.remount('ro')
    await say('read-only', 503)
    await sleep(faultMs)
    files.remount('rw')
    await say('writable again', 200)
  })
  await part('database: volume full', async (mark) => {
    mark()
    await disk.fill()
    await sleep(2 * faultMs)
    await disk.empty()
    // The service manager starts it again when it gave up.
    if (cluster.server.hasEnded()) await cluster.crash(0)
    await say('with space again', 200)
  })
  await part('database: read-only', async (mark) => {
    mark()
    await setReadOnly(cluster, 'on')
    await say('a write', 503)
    await sleep(faultMs)
    await setReadOnly(cluster, 'off')
    await say('writable again', 200)
  })
  await crowd.finish()
  const halves = await countHalves(cluster, settings.DATA_DIR ?? '')
  await Promise.all([worker.end('SIGTERM'), web.end('SIGTERM')])
  await crowd.judge()
  console.log(`  ${halves.pictures} pictures, ${halves.unfinished} unfinished files`)
  console.log(`  ${halves.files} files without a row, ${halves.rows} rows without a file`)
  const isHalf = halves.files + halves.rows + halves.unfinished > 0
  return fine && crowd.isFine() && !isHalf && halves.pictures > 0
}

/** A volume of its own in memory, of so many megabytes. */
async function mountVolume(stage: Stage, name: string, megabytes: number) {
  const folder = join(stage.folder, name)
  await mkdir(folder, { recursive: true })
  const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' })
  mount('-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder)
  // Last of all, when its programs have ended.
  stage.onEnd(async () => {
    await until(
      `${name} is unmounted`,
      () => isDone(() => execFileSync('umount', [folder], { stdio: 'pipe' })),
      {
        seconds: 2,
      },
    )
  })
  const filler = join(folder, 'filler')
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder)
      await writeFile(filler, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error
      })
    },
    empty: () => rm(filler),
    remount: (how: 'ro' | 'rw') => void mount('-o', `remount,${how}`, folder),
  }
}

function isDone(act: () => unknown) {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** Each call uploads a new picture of the next member's product. */
function uploader(edge: Edge, people: Trader[]) {
  let n = 0
  return async (): Promise<Answer> => {
    n += 1
    const me = people[n % people.length]
    if (!me) throw new Error('No one uploads.')
    const picture = await drawReceipt({ order: String(1000 + n), title: 'A picture' })
      .jpeg()
      .toBuffer()
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'picture.jpg')
    const whole = new Response(form)
    const headers = { ...me.headers, 'content-type': whole.headers.get('content-type') ?? '' }
    const path = `/api/products/${me.products[0]}/image`
    return edge.ask('POST', path, headers, new Uint8Array(await whole.arrayBuffer()))
  }
}

function sentenceOf({ status, text }: Answer): string {
  if (status === 200) return ''
  const message = /"message":"([^"]*)"/.exec(text)?.[1] ?? text
  return `“${message.split(' If it happens')[0]}” `
}

async function setReadOnly({ admin }: Cluster, how: 'on' | 'off') {
  await ask(admin, [
    'set default_transaction_read_only = off',
    `alter system set default_transaction_read_only = ${how}`,
    'select pg_reload_conf()',
  ])
}

/** Files without a row, rows without a file, and files that were never finished. */
async function countHalves({ admin }: Cluster, dataDir: string) {
  const rows = await ask(admin, ['select file_key from images'])
  const keys = new Set(rows.map((row) => String(row.file_key)))
  const stored = new Set<string>()
  for await (const { key } of openFiles({ dataDir }).list('')) stored.add(key)
  const unfinished = execFileSync('find', [dataDir, '-name', '*.part'], { encoding: 'utf8' })
  return {
    pictures: keys.size,
    files: [...stored].filter((key) => !keys.has(key)).length,
    rows: [...keys].filter((key) => !stored.has(key)).length,
    unfinished: unfinished.split('\n').filter(Boolean).length,
  }
}
