// Loads what a check needs from our own server, and has it checked in the worker.
import { lotteryWeekMs } from '#contract/draw.ts'
import type { DrawPlace, OwnDraw } from '#contract/matching.ts'
import { keptDrawsKey, readKeptDraws } from '#contract/kept-draws.ts'
import type { KeptDraw } from '#contract/kept-draws.ts'
import { paths } from '#web/paths.ts'
import type { Answers, Questions } from './check-worker.ts'
// The address of the built file, as the bundler gives it.
// oxlint-disable-next-line import/default
import workerAddress from './check-worker.ts?worker&url'
import type { Checker, Failure, OwnNumber, OwnTurn, Report } from './report.ts'

/** `signedIn`: whether there is a member whose own number can be looked for. */
export function createChecker({ signedIn }: { signedIn: boolean }): Checker {
  const ask = startWorker()
  return { checkText, checkRequest, findOwnPlace, listOwnDraws, checkPass }

  async function checkRequest(request: string) {
    const file = await load(paths.drawReceiptFile(request))
    return 'text' in file ? checkText(file.text) : explainReceipt(file)
  }

  async function checkText(text: string): Promise<Report | Failure> {
    const read = await ask('read', { text })
    if ('problem' in read) return read.problem
    if (read.club !== location.origin) return otherClub(read.club)
    const [days, own, ...dayFiles] = await Promise.all([
      loadText(paths.drawDaysFile()),
      ownNumber(),
      ...read.days.map((day) => loadText(paths.drawDayFile(day))),
    ])
    const found = dayFiles.filter((file) => file !== null)
    const answer = await ask('receipt', { text, days, dayFiles: found, kept: keptOf(read.request), own })
    return 'problem' in answer ? answer.problem : answer
  }

  async function findOwnPlace() {
    const file = await load(paths.ownDrawPlace())
    if (!('text' in file)) return explain(file)
    // The answer of our own call.
    return (file.text === '' ? null : JSON.parse(file.text)) as DrawPlace | null
  }

  async function listOwnDraws() {
    const file = await load(paths.ownDraws())
    if (!('text' in file)) return explain(file)
    // The answer of our own call.
    return JSON.parse(file.text) as OwnDraw[]
  }

  async function ownNumber(): Promise<OwnNumber | null> {
    if (!signedIn) return null
    const place = await findOwnPlace()
    return place && 'number' in place ? weekOf(place) : null
  }

  async function checkPass({ id, at, why }: DrawPlace['passes'][number], place: DrawPlace) {
    const file = await load(paths.drawnPassFile(id))
    if (!('text' in file)) return explainPass(file)
    const [days, dayFile] = await Promise.all([
      loadText(paths.drawDaysFile()),
      loadText(paths.drawDayFile(new Date(at).toISOString().slice(0, 10))),
    ])
    const own: OwnTurn = { ...weekOf(place), band: place.band, turnAt: place.turnAt, why }
    const report = await ask('pass', { text: file.text, days, dayFile, own })
    return report ?? explain({ status: 500 })
  }
}

function weekOf({ number, weekEndsAt }: DrawPlace): OwnNumber {
  const from = new Date(Date.parse(weekEndsAt) - lotteryWeekMs).toISOString()
  return { number, from, until: weekEndsAt }
}

function keptOf(request: string): KeptDraw | null {
  return readKeptDraws(readStorage()).find(([id]) => id === request)?.[1] ?? null
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(keptDrawsKey)
  } catch {
    return null
  }
}

// Files of our own server.

type Loaded = { text: string } | { status: number }

/** Status 0: the server could not be reached. */
async function load(path: string): Promise<Loaded> {
  try {
    const answer = await fetch(path, { credentials: 'same-origin' })
    return answer.ok ? { text: await answer.text() } : { status: answer.status }
  } catch {
    return { status: 0 }
  }
}

async function loadText(path: string): Promise<string | null> {
  const loaded = await load(path)
  return 'text' in loaded ? loaded.text : null
}

function explain({ status }: { status: number }): Failure {
  if (status === 401)
    return { title: 'Please sign in', text: 'Only you can load what is your own.', signIn: true }
  if (status === 429)
    return {
      title: 'Please wait a moment',
      text: 'You have loaded many of these. Try again later.',
      again: true,
    }
  if (status === 0)
    return { title: 'You’re offline', text: 'The club can’t be reached. Check your connection.', again: true }
  return { title: 'That didn’t work', text: 'The club couldn’t answer. Please try again.', again: true }
}

function explainReceipt(loaded: { status: number }): Failure {
  if (loaded.status !== 404 && loaded.status !== 400) return explain(loaded)
  return {
    title: 'There is no receipt for this',
    text:
      'It isn’t a request or an offer of yours, or it was never drawn: our staff can also arrange an ' +
      'exchange.',
  }
}

function explainPass(loaded: { status: number }): Failure {
  if (loaded.status !== 429) return explain(loaded)
  return {
    title: 'That’s enough for today',
    text:
      'You can open twelve lists a day: enough to look for yourself, ' +
      'too few to follow anyone else’s number.',
  }
}

function otherClub(club: string): Failure {
  return {
    title: 'This receipt is of another club',
    text: `It was made by ${club.slice(0, 80)}. Check it there, or with the script below.`,
  }
}

// The worker.

type Ask = <Name extends keyof Questions>(name: Name, given: Questions[Name]) => Promise<Answers[Name]>

/** Starts the worker on the first question. */
function startWorker(): Ask {
  let worker: Worker | undefined
  let asked = 0
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()

  return function ask(name, given) {
    worker ??= start()
    const id = (asked += 1)
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker?.postMessage({ id, name, given })
    })
  }

  function start() {
    // TypeScript takes only text here; browsers with trusted types want the trusted address.
    const started = new Worker(trusted(workerAddress), { type: 'module', name: 'draw-check' })
    started.addEventListener('message', ({ data }: MessageEvent<{ id: number; answer: never }>) => {
      waiting.get(data.id)?.resolve(data.answer)
      waiting.delete(data.id)
    })
    started.addEventListener('error', () => {
      for (const { reject } of waiting.values()) reject(new Error('The check stopped.'))
      waiting.clear()
      worker = undefined
    })
    return started
  }
}

type ScriptPolicies = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

/** The address of our own worker, in the form that the content security policy requires of scripts. */
function trusted(address: string): string {
  // TypeScript's types for browsers lack trusted types, and Firefox has them only lately.
  const { trustedTypes } = window as { trustedTypes?: ScriptPolicies }
  const policy = trustedTypes?.createPolicy('evenhand-draw-check', { createScriptURL: () => address })
  return policy?.createScriptURL(address) ?? address
}
