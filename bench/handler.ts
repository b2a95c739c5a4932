// The least work for the same answer: a hand-written handler with the same two named statements and
// JSON.stringify, in its own process like the web process. It has no limits, checks, security headers or log.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readSession } from '#server/accounts/authenticate.ts'
import { connectionFromEnv } from '#server/kit/db/connection.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { inboxPage } from './inbox.ts'

export type HandlerReport = { port: number } | { cpuSeconds: number }

// The bench may be killed before this is loaded. Nothing here has to be closed.
process.on('disconnect', () => process.exit(0))
if (!process.connected) process.exit(0)

const { pool } = openDatabase(connectionFromEnv(process.env), {
  name: 'bench-handler',
  log: openLog('bench', 'warn'),
})

const server = createServer((request, response) => {
  answer(request).then(
    (body) => {
      response.writeHead(body ? 200 : 401, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    },
    () => response.writeHead(500).end(),
  )
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
// A server that listens on a port has an AddressInfo.
report({ port: (server.address() as AddressInfo).port })

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  report({ cpuSeconds: (user + system) / 1e6 })
})

async function answer(request: IncomingMessage) {
  const token = /session_token=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const sessions = await pool.query<{ member_id: string }>({
    name: 'session',
    text: readSession,
    values: [token],
  })
  const session = sessions.rows[0]
  if (!session) return ''
  const limit = Number(/limit=(\d+)/.exec(request.url ?? '')?.[1])
  const { rows } = await pool.query<{ id: string; createdAt: string }>({
    name: 'inbox',
    text: inboxPage,
    values: [session.member_id, limit + 1],
  })
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const next =
    rows.length > limit && last ? Buffer.from(`${last.createdAt} ${last.id}`).toString('base64url') : null
  return JSON.stringify({ items, next })
}

function report(what: HandlerReport) {
  process.send?.(what)
}
