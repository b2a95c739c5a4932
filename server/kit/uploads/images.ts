// Files of members are opened in processes of their own, at most two, so that neither a broken picture nor a
// costly one can slow or stop the server. What comes back was made again from the pixels.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RefusalCode } from '#contract/index.ts'
import type { Answer, Job, ProofPicture, SizedPicture, Reply } from './image-worker.ts'
import { refuse } from '#server/kit/refusal.ts'
import { readPictureHeader, sniff, uploadMessages, UploadRefused } from './upload.ts'

export type { ProofPicture, SizedPicture }

const mostPixels = 24e6
const mostTimesLonger = 20

/**
 * A proof as it may be kept, a JPEG or PNG of at most 2,097,151 bytes: a picture re-encoded and upright, or
 * the first five pages of a PDF in one picture. Decided by content alone. Refusals: those of `reencodeProof`,
 * and of PDFs `locked_pdf` and `too_many_pages` (over 20).
 */
export async function cleanProof(bytes: Uint8Array, workers = shared): Promise<ProofPicture> {
  if (sniff(bytes) !== 'pdf') return reencodeProof(bytes, workers)
  const { picture } = await workers.run('pdf', bytes)
  return picture
}

/**
 * The picture alone, upright, as a JPEG or PNG of at most 2,097,151 bytes; a PNG too large for that becomes a
 * JPEG. Refusals: `unsupported`, `too_many_pixels` (over 24 million, or more than one frame),
 * `bad_proportions` (over 20 times as long as wide), `unreadable`, `busy`.
 */
export async function reencodeProof(bytes: Uint8Array, workers = shared): Promise<ProofPicture> {
  refuseByHeader(bytes)
  const { picture } = await workers.run('proof', bytes)
  return picture
}

/**
 * The picture as WebP in three sizes, at most 320, 640 and 1280 pixels wide, smallest first, never enlarged,
 * each with its real dimensions. Refusals as for `reencodeProof`.
 */
export async function productImage(bytes: Uint8Array, workers = shared): Promise<SizedPicture[]> {
  refuseByHeader(bytes)
  const { pictures } = await workers.run('product', bytes)
  return pictures
}

/**
 * The middle of the picture as two square WebPs, 64 and 256 pixels wide, smaller first. Refusals as for
 * `reencodeProof`.
 */
export async function avatarImage(bytes: Uint8Array, workers = shared): Promise<SizedPicture[]> {
  refuseByHeader(bytes)
  const { pictures } = await workers.run('avatar', bytes)
  return pictures
}

/**
 * Makes a picture of what a member uploaded. What it cannot be made of is refused at `file`, by the module's
 * own codes; `busy` rises as it is, for the edge to say that it may be tried again.
 */
export async function makePicture<T>(
  make: () => Promise<T>,
  codes: { unsupported: RefusalCode; unreadable: RefusalCode },
): Promise<T> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof UploadRefused) || error.code === 'busy') throw error
    if (error.code === 'unsupported') throw refuse(codes.unsupported, { field: 'file' })
    const reason = uploadMessages[error.code]
    throw refuse(codes.unreadable, { field: 'file', ...(reason ? { reason } : {}) })
  }
}

/** Ends the workers; for the end of the server. Work under way is refused as `busy`. */
export function closeImages() {
  shared.close()
}

type Task = Job['task']
type AnswerTo<T extends Task> = Extract<Answer, { task: T }>

type ImageWorkers = {
  run<T extends Task>(task: T, bytes: Uint8Array): Promise<AnswerTo<T>>
  close(): void
}

/** A machine with too much other work gives a worker a sixth of a processor at least. */
const patience = 6
const startLimitMs = 60_000

/**
 * A pool of worker processes, each started when first needed and used again. A file that takes more of the
 * processor's time (`limitMs`) or memory than it may costs its worker and is `unreadable`. `busy` are those
 * beyond 16 that wait, and what a machine with too much other work does not finish.
 */
export function openImageWorkers({
  size = 2,
  limitMs = 10_000,
  memoryBytes = 512 * 1024 * 1024,
} = {}): ImageWorkers {
  const workers = new Set<ChildProcess>()
  const idle: ChildProcess[] = []
  const waiting: (() => void)[] = []
  let working = 0
  let closed = false

  async function run<T extends Task>(task: T, bytes: Uint8Array): Promise<AnswerTo<T>> {
    await takePlace()
    try {
      const worker = idle.pop() ?? (await start())
      const reply = await ask(worker, { task, bytes }, limitMs)
      if (typeof reply === 'object' && !reply.tired) idle.push(worker)
      else worker.kill('SIGKILL')
      if (reply === 'late' || (reply === 'ended' && closed)) throw new UploadRefused('busy')
      if (reply === 'ended') throw new UploadRefused('unreadable')
      if (reply.answer.task === 'refused') throw new UploadRefused(reply.answer.code)
      if (!isAnswerTo(task, reply.answer))
        throw new Error(`image worker answered ${reply.answer.task} to ${task}`)
      return reply.answer
    } finally {
      leavePlace()
    }
  }

  async function takePlace() {
    if (closed || waiting.length >= 16) throw new UploadRefused('busy')
    if (working < size) working++
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leavePlace() {
    const next = waiting.shift()
    if (next) next()
    else working--
  }

  async function start() {
    const worker = await startWorker(memoryBytes)
    workers.add(worker)
    worker.once('exit', () => {
      workers.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
    })
    if (closed) worker.kill('SIGKILL')
    return worker
  }

  function close() {
    closed = true
    for (const worker of workers) worker.kill('SIGKILL')
  }

  return { run, close }
}

const shared = openImageWorkers()

// Header sizes are a claim, but a free one: an honest bomb is refused before a worker is troubled with it.
function refuseByHeader(bytes: Uint8Array) {
  const header = readPictureHeader(bytes)
  if (!header) throw new UploadRefused('unsupported')
  if (header.width * header.height > mostPixels || header.frames > 1)
    throw new UploadRefused('too_many_pixels')
  const [short, long] =
    header.width < header.height ? [header.width, header.height] : [header.height, header.width]
  if (long > short * mostTimesLonger) throw new UploadRefused('bad_proportions')
}

function isAnswerTo<T extends Task>(task: T, answer: Answer): answer is AnswerTo<T> {
  return answer.task === task
}

/**
 * Starts one worker and waits until it can work. Its environment is empty but for these: it needs no secret.
 */
function startWorker(memoryBytes: number) {
  const { SystemRoot, PATH } = process.env
  const worker = fork(workerFile(), [String(memoryBytes)], {
    env: { SystemRoot, PATH, VIPS_BLOCK_UNTRUSTED: '1', MALLOC_ARENA_MAX: '2' },
    execArgv: ['--max-old-space-size=192'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // A waiting worker is no reason to stay alive; the time limit of a task under way is.
  worker.unref()
  worker.channel?.unref()
  worker.on('error', () => worker.kill('SIGKILL'))
  return new Promise<ChildProcess>((resolve, reject) => {
    const slow = setTimeout(() => {
      worker.kill('SIGKILL')
      reject(new UploadRefused('busy'))
    }, startLimitMs)
    function fail(code: number | null) {
      clearTimeout(slow)
      reject(new Error(`image worker ended (${code ?? 'killed'}) before it could work`))
    }
    worker.once('exit', fail)
    worker.once('error', () => fail(null))
    worker.once('message', () => {
      clearTimeout(slow)
      worker.off('exit', fail)
      resolve(worker)
    })
  })
}

/**
 * The worker's reply. `ended`: it died or was stopped at the limit. `late`: it hardly got to run, in several
 * times that time.
 */
function ask(worker: ChildProcess, job: Job, limitMs: number) {
  return new Promise<Reply | 'ended' | 'late'>((resolve) => {
    const before = processorMs(worker)
    let looks = 0
    const clock = setInterval(() => {
      const used = processorMs(worker)
      looks += 1
      if (before === null || used === null || used - before >= limitMs) worker.kill('SIGKILL')
      else if (looks >= patience) finish('late')
    }, limitMs)
    function finish(reply: Reply | 'ended' | 'late') {
      clearInterval(clock)
      worker.off('message', finish)
      worker.off('exit', onExit)
      resolve(reply)
    }
    function onExit() {
      finish('ended')
    }
    worker.on('message', finish)
    worker.on('exit', onExit)
    if (worker.connected) worker.send(job, (fault) => fault && finish('ended'))
    else finish('ended')
  })
}

/** Milliseconds of the processor that a process has used; null where the system does not say. */
function processorMs({ pid }: ChildProcess): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // In user and system mode, in hundredths of a second.
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return null
  }
}

// Beside the source when run from it, beside the bundle (or one folder above its chunks) when built.
function workerFile() {
  const places = ['./image-worker.ts', './image-worker.js', '../image-worker.js']
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path))
  if (!found) throw new Error('the image worker is missing from this build')
  return found
}
