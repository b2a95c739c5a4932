// One trace from a click to the mail that it causes, as a collector receives it.
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { allJobs } from '#server/app.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Jobs } from '#server/kit/ctx.ts'
import { openJobs, workJobs } from '#server/kit/jobs.ts'
import { openLog } from '#server/kit/log.ts'
import { openTransport } from '#server/kit/mail/mail.ts'
import { beginSpan, openSpans, readCause, textOfCause } from './spans.ts'

type Received = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  status: { code?: number }
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const lines: string[] = []
const log = openLog(
  'test',
  'warn',
  new Writable({ write: (line: Buffer, _, done) => (lines.push(line.toString()), done()) }),
)
const received: Received[] = []
let collector: Server
let jobs: Jobs
let working: Awaited<ReturnType<typeof workJobs>>
let close = async () => {}

const club = useFreshClub()
const clubsJobs = () => allJobs({ transport: openTransport(club.config), connection: club.connection })
beforeAll(async () => {
  collector = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString())
      if (request.url === '/v1/traces')
        for (const { scopeSpans } of body.resourceSpans)
          for (const { spans } of scopeSpans) received.push(...spans)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  jobs = await openJobs(club.connection, log, clubsJobs())
  working = await workJobs(
    club.connection,
    log,
    clubsJobs().filter(({ name }) => name === 'send-mails'),
  )
})
const edge = useEdge(club, {
  log,
  kit: {
    get jobs() {
      return jobs
    },
  },
})
afterEach(() => close())
afterAll(async () => {
  await Promise.all([jobs.stop(), working.stop()])
  collector.close()
})

async function collect() {
  const { port } = collector.address() as AddressInfo
  const spans = await openSpans({ endpoint: `http://127.0.0.1:${port}`, process: 'test', log })
  close = async () => {
    close = async () => {}
    await spans.close()
  }
}

test('a click, its job and its mail are one trace, named by the request’s id', async () => {
  await collect()
  await working.begin(club.system)
  const answer = await edge.visitor().post('/api/reset-password', { email: 'anna@evenhand.example' })
  expect(answer.status).toBe(200)
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select from mails where sent_at is not null`.execute(club.database.db)
      expect(rows).toHaveLength(1)
    },
    { timeout: 60_000, interval: 100 },
  )
  await working.stop()
  await close()
  const requestId = String(answer.headers['x-request-id'])
  const trace = received.filter(({ traceId }) => traceId === requestId.replaceAll('-', ''))
  const named = (name: string) => trace.find((span) => span.name === name)
  const [click, job, mail] = ['POST /api/reset-password', 'job send-mails', 'mail reset-password'].map(named)
  expect(click).toMatchObject({ kind: 2, attributes: expect.arrayContaining([statusOf(200)]) })
  expect(click?.parentSpanId).toBeUndefined()
  expect([job?.parentSpanId, mail?.parentSpanId]).toEqual([click?.spanId, click?.spanId])
  expect(JSON.stringify(received)).not.toContain('anna')
})

test('an error that people see names its log line and its trace', async () => {
  await collect()
  await club.database.db.schema.alterTable('products').renameTo('products_away').execute()
  const anna = await edge.signIn('anna')
  const answer = await anna.get('/api/products')
  await club.database.db.schema.alterTable('products_away').renameTo('products').execute()
  await close()
  expect(answer.status).toBe(500)
  const { reference } = (answer.json?.data ?? {}) as { reference?: string }
  if (reference === undefined) throw new Error('The answer names no number.')
  expect(answer.headers['x-request-id']).toBe(reference)
  expect(lines.join('')).toContain(`"requestId":"${reference}"`)
  const span = received.find(({ traceId }) => traceId === reference.replaceAll('-', ''))
  expect(span).toMatchObject({ name: 'GET /api/products', status: { code: 2 } })
})

test('without a collector there is no span, and a collector that is away disturbs nothing', async () => {
  expect(beginSpan({ name: 'x', kind: 'server', cause: { requestId: 'x' } })).toBeUndefined()
  const spans = await openSpans({ endpoint: 'http://127.0.0.1:9', process: 'test', log })
  expect((await edge.visitor().get('/livez')).status).toBe(200)
  await spans.close()
})

test('what is stored of a cause is read again, and nothing else is', () => {
  const cause = { requestId: '01234567-89ab-4def-8123-456789abcdef', span: '0123456789abcdef' }
  expect(readCause(textOfCause(cause))).toEqual(cause)
  expect(readCause(textOfCause({ requestId: cause.requestId }))).toEqual({ requestId: cause.requestId })
  for (const text of [undefined, 7, '', 'x', `${cause.requestId}/x`]) expect(readCause(text)).toBeUndefined()
})

function statusOf(code: number) {
  return { key: 'http.response.status_code', value: { intValue: code } }
}
