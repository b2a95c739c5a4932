import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Log } from '#server/kit/log.ts'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

const registry = new Registry()
collectDefaultMetrics({ register: registry })

const requests = new Histogram({
  name: 'evenhand_http_seconds',
  help: 'Time to answer, by route template, method and status.',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
})

/** Counts an answer. `route` is a template, so ids never become labels. */
export function observeRequest(method: string, route: string, status: number, seconds: number) {
  requests.observe({ route, method, status: String(status) }, seconds)
}

const jobRuns = new Histogram({
  name: 'evenhand_job_seconds',
  help: 'Time that a run of a job took, by its outcome: done or failed.',
  labelNames: ['job', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
  registers: [registry],
})

/** Counts a run of a job. */
export function observeJob(job: string, outcome: 'done' | 'failed', seconds: number) {
  jobRuns.observe({ job, outcome }, seconds)
}

const partnerCalls = new Histogram({
  name: 'evenhand_partner_seconds',
  help: `Time that a partner took to answer, by partner and outcome: done, refused (it said no), failed (no
    usable answer).`.replace(/\s+/g, ' '),
  labelNames: ['partner', 'outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [registry],
})

type Partner = 'payments' | 'mail' | 'push' | 'storage' | 'beacon'
type Outcome = 'done' | 'refused' | 'failed'

/** Times a call to a partner, and sorts what it answered or threw. */
export async function timePartner<T>(
  partner: Partner,
  call: () => Promise<T>,
  { ofAnswer = () => 'done', ofError = () => 'failed' }: Outcomes<T> = {},
): Promise<T> {
  const end = partnerCalls.startTimer({ partner })
  try {
    const answer = await call()
    end({ outcome: ofAnswer(answer) })
    return answer
  } catch (error) {
    end({ outcome: ofError(error) })
    throw error
  }
}

type Outcomes<T> = { ofAnswer?: (answer: T) => Outcome; ofError?: (error: unknown) => Outcome }

/** Of an answer by HTTP. */
export function outcomeOfStatus(status: number): Outcome {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'done'
}

/** A gauge that is read when the metrics are scraped. */
export function gauge(name: string, help: string, read: () => number | Promise<number>) {
  return new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read())
    },
  })
}

/**
 * A labeled gauge that is read when the metrics are scraped. Values that are not measured at the moment, or
 * cannot be read, are left out.
 */
export function gaugeOfEach(
  name: string,
  help: string,
  label: string,
  read: () => Promise<Record<string, number>>,
) {
  return new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      this.reset()
      // While the database is away its figures are missing; those of the process are not.
      const figures = await read().catch(() => ({}))
      for (const [of, figure] of Object.entries(figures)) this.set({ [label]: of }, figure)
    },
  })
}

/** A labeled counter whose values, counted since the process started, are read when they are scraped. */
export function counterOfEach(name: string, help: string, label: string, read: () => Record<string, number>) {
  return new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset()
      for (const [of, count] of Object.entries(read())) this.inc({ [label]: of }, count)
    },
  })
}

/**
 * Serves the metrics on a port of their own, and /livez, which says that the process is alive. If the port is
 * taken, only these are missing.
 */
export function serveMetrics(port: number, host: string, log: Log): Server {
  const server = createServer((request, response) => {
    if (request.url === '/livez') return response.writeHead(200).end('ok')
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.on('error', (err) => log.warn({ err, port }, 'the metrics are not served'))
  return server.listen(port, host)
}
