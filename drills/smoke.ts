// Members who read, write and listen for a while, and what they met.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { table } from '../bench/fairness/tables.ts'
import { quantile } from '../bench/measure.ts'
import type { Member } from './club.ts'
import { ask } from './cluster.ts'
import type { Answer, Edge } from './visitor.ts'

const reads = ['/api/me', '/api/dashboard', '/api/products', '/api/offers/current', '/api/notifications']
const readPauseMs = 20
// A member may change their hours thirty times an hour.
const mostWrites = 25
const smokeMs = 6000

type Traffic = {
  /** Stops, and waits for the last answers. */
  stop(): Promise<Met>
  /** Milliseconds since an answer to a write last succeeded. */
  sinceWrite(): number
}

type Met = {
  reads: Answer[]
  writes: Answer[]
  /** From sending a write to its event on another page of the member. */
  delays: number[]
  events: { expected: number; missed: number }
  /** Of each member who wrote, the last write that was acknowledged. */
  acknowledged: Map<string, number>
  /** The longest time in which no write succeeded. */
  windowMs: number
  windowReadsMs: number
}

/**
 * Each writer counts up their asking hours, one write after the other, so that the row says which write was
 * the last that stayed.
 */
export function startTraffic(
  edge: Edge,
  members: Member[],
  { readers = 6, writers = 20, pauseMs = 900 } = {},
): Traffic {
  let stopping = false
  const met: Met = {
    reads: [],
    writes: [],
    delays: [],
    events: { expected: 0, missed: 0 },
    acknowledged: new Map(),
    windowMs: 0,
    windowReadsMs: 0,
  }
  let lastWrite = performance.now()
  let lastRead = performance.now()

  async function read(n: number) {
    for (let turn = n; !stopping; turn += readers) {
      const member = members[turn % members.length]
      const path = reads[turn % reads.length]
      if (!member || !path) return
      const answer = await edge.ask('GET', path, member.headers)
      met.reads.push(answer)
      if (answer.status === 200) {
        met.windowReadsMs = Math.max(met.windowReadsMs, performance.now() - lastRead)
        lastRead = performance.now()
      }
      await sleep(readPauseMs)
    }
  }

  async function write(n: number) {
    for (let at = n; !stopping && at < members.length; at += writers) {
      const member = members[at]
      if (member) await writeAs(member)
    }
  }

  async function writeAs(member: Member) {
    const page = listen(edge, member, met)
    await page.opened
    for (let from = 1; !stopping && from <= mostWrites; from += 1) {
      const hours = { days: [1, 2, 3, 4, 5, 6, 7], from, until: from }
      const body = JSON.stringify({ hours, timeZone: 'UTC' })
      const sent = performance.now()
      const answer = await edge.ask('PUT', '/api/settings/asking-hours', member.headers, body)
      met.writes.push(answer)
      if (answer.status < 300 && answer.status > 0) {
        met.acknowledged.set(member.memberId, from)
        met.windowMs = Math.max(met.windowMs, performance.now() - lastWrite)
        lastWrite = performance.now()
        await page.event(sent)
      }
      await sleep(pauseMs)
    }
    page.close()
  }

  const running = Promise.all([
    ...Array.from({ length: readers }, (_, n) => read(n)),
    ...Array.from({ length: Math.min(writers, members.length) }, (_, n) => write(n)),
  ])
  return {
    sinceWrite: () => performance.now() - lastWrite,
    async stop() {
      stopping = true
      await running
      return met
    },
  }
}

/** Another page of the member, which opens its stream again when it ends. */
function listen(edge: Edge, member: Member, met: Met) {
  let closed = false
  let close = () => {}
  let seen = 0
  let connected = false
  let breaks = 0
  const opened = Promise.withResolvers<void>()
  let wake = () => {}
  const { 'content-type': _, ...headers } = member.headers
  const open = () => {
    if (closed) return
    close = edge.listen(
      '/api/events',
      { ...headers, accept: 'text/event-stream' },
      (text) => {
        if (!connected) opened.resolve()
        connected = true
        // After a gap the process says "sync", and a page reads everything again.
        seen += text.split(/"member\.changed"|"sync"/).length - 1
        wake()
      },
      () => {
        connected = false
        breaks += 1
        setTimeout(open, 200)
      },
    )
  }
  open()
  setTimeout(() => opened.resolve(), 3000).unref()
  let counted = 0
  return {
    opened: opened.promise,
    /** Waits for the event of a write. One of a stream that broke meanwhile is read again by a page. */
    async event(sent: number) {
      const breaksBefore = breaks
      met.events.expected += 1
      const end = performance.now() + 3000
      while (seen <= counted && performance.now() < end && breaks === breaksBefore && connected)
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), sleep(250)])
      if (seen > counted) met.delays.push(performance.now() - sent)
      else if (breaks === breaksBefore && connected) met.events.missed += 1
      else met.events.expected -= 1
      counted = seen
    },
    close() {
      closed = true
      close()
    },
  }
}

/** A few seconds of traffic, and whether all of it went well and stayed. */
export async function smoke(edge: Edge, members: Member[], admin: PgConnection): Promise<boolean> {
  const traffic = startTraffic(edge, members)
  await sleep(smokeMs)
  const met = await traffic.stop()
  const fine = showTraffic(met)
  if (!fine) console.log(`  failures ${failuresOf([...met.reads, ...met.writes])}`)
  const { lost } = await lostWrites(admin, met.acknowledged)
  if (lost > 0) console.log(`  LOST     ${lost} acknowledged writes`)
  return fine && lost === 0
}

/** Prints what was met, and returns whether all went well. */
export function showTraffic(met: Met): boolean {
  const bad = (answers: Answer[]) => answers.filter(({ status }) => status === 0 || status >= 400)
  const line = (what: string, answers: Answer[]) => {
    const good = answers.filter(({ status }) => status > 0 && status < 400).map(({ ms }) => ms)
    const times = good.length > 0 ? `p50 ${ms(quantile(good, 0.5))}, p99 ${ms(quantile(good, 0.99))}` : ''
    console.log(`  ${what.padEnd(8)} ${answers.length} asked, ${bad(answers).length} failed, ${times}`)
  }
  line('reads', met.reads)
  line('writes', met.writes)
  const { expected, missed } = met.events
  const delay = met.delays.length > 0 ? `, p50 ${ms(quantile(met.delays, 0.5))} after the write was sent` : ''
  const late = met.delays.length > 0 ? `, p99 ${ms(quantile(met.delays, 0.99))}` : ''
  console.log(`  events   ${expected} expected, ${missed} missed${delay}${late}`)
  return bad(met.reads).length + bad(met.writes).length + missed === 0 && met.writes.length > 0
}

/** How the failures were answered: `503 ×12 (Retry-After), no answer ×3`. */
export function failuresOf(answers: Answer[]): string {
  const counts = new Map<string, number>()
  for (const { status, retryAfter } of answers) {
    if (status > 0 && status < 400) continue
    const name = status === 0 ? 'no answer' : `${status}${retryAfter ? ' with Retry-After' : ''}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ') || 'none'
}

/** Acknowledged writes that the rows do not hold, and those that the rows hold. */
export async function lostWrites(admin: PgConnection, acknowledged: Map<string, number>) {
  const rows = await ask(admin, ['select member_id, from_minute from asking_hours'])
  const kept = new Map(rows.map((row) => [String(row.member_id), Number(row.from_minute)]))
  const lost = [...acknowledged].map(([id, last]) => Math.max(0, last - (kept.get(id) ?? 0)))
  return {
    lost: lost.reduce((sum, each) => sum + each, 0),
    acknowledged: [...acknowledged.values()].reduce((sum, last) => sum + last, 0),
  }
}

export function ms(value: number): string {
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`
}

/** Prints a table as the pages of docs/operating have it. */
export function showTable(columns: string[], rows: string[][]) {
  for (const line of table(columns, rows)) console.log(`  ${line}`)
}
