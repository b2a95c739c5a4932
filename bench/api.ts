// What the whole stack costs beside the query it is there for: HTTP, login session, limits, contract and SQL, against the bare driver.
import pg from 'pg'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { loadClub } from './club.ts'
import { keepAlive } from './http-client.ts'
import { ratePerSecond } from './measure.ts'
import type { Cell, Section } from './report.ts'
import { onDatabase } from './server.ts'
import type { MakeDatabase } from './server.ts'
import { signIn, withWeb } from './web.ts'

const connections = 64
const bareConnections = 16
const rounds = 3
const secondsEach = 2.5
/** So many that none of them comes near its 300 requests a minute. */
const people = 800

/** The inbox's first page as the server asks for it. */
const inbox = `select "id", "title", "message", "priority", "action_label", "action_href", "created_at", read_at is null as "unread"
  from "notices" where "member_id" = $1 order by "notices"."created_at" desc, "notices"."id" desc limit $2`

type Read = { path: string; text: string; values: (memberId: string) => unknown[] }

const reads: Read[] = [
  { path: '/api/notifications?limit=20', text: inbox, values: (memberId) => [memberId, 21] },
  { path: '/api/notifications?limit=1', text: inbox, values: (memberId) => [memberId, 2] },
]

export async function measureApi(make: MakeDatabase): Promise<Section[]> {
  const connection = await make('api')
  await loadClub(connection, people)
  await onDatabase(connection, (client) =>
    client.query(`
    insert into notices (id, member_id, dedupe_key, title, message, priority, action_label, action_href, created_at)
    select gen_random_uuid(), m.id, 'notice-' || n, 'A review offer is waiting for you',
      '“Work of member ' || n || '” was drawn for you. Accept or decline within 30 minutes.', 'high', 'See the offer',
      '/dashboard?offer=open', clock_timestamp() - n * interval '1 hour'
    from members m, generate_series(1, 40) n; analyze notices`),
  )
  return withWeb(connection, async ({ port, config, cpuSeconds }) => {
    const sessions = await signIn(connection, config, people)
    const rows: Cell[][] = []
    for (const read of reads) {
      const bare = await openBare(connection, read, sessions)
      const stack = await openStack(port, read, sessions)
      await stack.rate(1.5)
      const samples = []
      for (let round = 0; round < rounds; round += 1) {
        const ofBare = await bare.rate(secondsEach)
        const before = await cpuSeconds()
        const ofStack = await stack.rate(secondsEach)
        const cpu = (await cpuSeconds()) - before
        samples.push({ ofBare, ofStack, ratio: ofStack / ofBare, cpu: (1e6 * cpu) / (ofStack * secondsEach) })
      }
      await bare.close()
      stack.close()
      const [median] = samples.toSorted((one, other) => one.ratio - other.ratio).slice(Math.floor(rounds / 2))
      if (median) rows.push([read.path, median.ofStack, median.ofBare, median.ratio, median.cpu])
    }
    return [
      {
        title: 'API overhead',
        about: `A signed-in, indexed read through the whole built stack (${connections} connections kept alive, the client on the same processors) against the same prepared query by the bare driver (${bareConnections} connections), in turns; the round with the median ratio of ${rounds}. Goal: a ratio of at least 0.3.`,
        columns: ['read', 'stack/s', 'bare/s', 'ratio', 'web µs CPU each'],
        rows,
      },
    ]
  })
}

type SignedIn = { memberId: string; cookie: string }

async function openBare(connection: PgConnection, { text, values }: Read, sessions: SignedIn[]) {
  const pool = new pg.Pool({ ...connection, max: bareConnections })
  const next = inTurns(sessions)
  return {
    rate: (forSeconds: number) =>
      ratePerSecond(bareConnections, forSeconds, () =>
        pool.query({ name: text.slice(0, 60) + text.length, text, values: values(next().memberId) }),
      ),
    close: () => pool.end(),
  }
}

async function openStack(port: number, { path }: Read, sessions: SignedIn[]) {
  const clients = await Promise.all(Array.from({ length: connections }, () => keepAlive(port)))
  const next = inTurns(sessions)
  return {
    rate: (forSeconds: number) =>
      ratePerSecond(connections, forSeconds, async (caller) => {
        const status = await clients[caller]?.get(path, next().cookie)
        if (status !== 200) throw new Error(`${path} answered ${status}.`)
      }),
    close() {
      for (const client of clients) client.close()
    },
  }
}

function inTurns(sessions: SignedIn[]) {
  let at = 0
  return () => {
    at = (at + 1) % sessions.length
    const session = sessions[at]
    if (!session) throw new Error('Nobody is signed in.')
    return session
  }
}
