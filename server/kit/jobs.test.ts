// The job queue as the processes use it: one sends, another one works, on a database that commits.
import { RawNode, sql } from 'kysely'
import type { KyselyPlugin } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { allJobs } from '#server/app.ts'
import { useFreshClub } from '#server/testing/club.ts'
import type { Ctx, JobData, Jobs } from './ctx.ts'
import { newId } from './ctx.ts'
import { inTransaction } from './db/db.ts'
import { openJobs, workJobs } from './jobs.ts'
import type { Job } from './jobs.ts'
import { openLog } from './log.ts'
import { startWhenPossible } from './lifecycle.ts'

const club = useFreshClub()
const log = openLog('test', 'silent')

const opened: Jobs[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((jobs) => jobs.stop()))
})

let ran: { name: string; data: JobData }[] = []

/** A job that records its payloads and fails on request. */
function noting(name: string, options: Partial<Job> = {}): Job {
  return {
    name,
    expireInSeconds: 30,
    run: async (_, batch) => {
      for (const data of batch) {
        ran.push({ name, data })
        if (data.fails) throw new Error('this one fails')
      }
    },
    ...options,
  }
}

async function open(jobs: Job[]) {
  const sending = await openJobs(club.connection, log, jobs)
  opened.push(sending)
  return sending
}

async function work(jobs: Job[]) {
  const working = await workJobs(club.connection, log, jobs)
  opened.push(working)
  await working.begin(club.system)
  return working
}

async function stateOf(queue: string) {
  const { rows } = await sql<{ state: string; retries: number }>`
    select state::text as state, retry_count as retries from pgboss.job where name = ${queue}
      order by created_on`.execute(club.system.db)
  return rows
}

const soon = { timeout: 60_000, interval: 50 }

test('a worker that starts while the database is away works once it is back', async () => {
  const { database } = club.connection
  const server = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await server.connect()
  const job = noting('late')
  let tries = 0
  const starting = async () => {
    try {
      await server.query(`alter database ${database} allow_connections false`)
      await server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [
        database,
      ])
      await server.query(`alter database ${database} rename to ${database}_away`)
      const begun = startWhenPossible(
        log,
        () => {
          tries += 1
          return workJobs(club.connection, log, [job])
        },
        { pauseMs: 50 },
      )
      await vi.waitFor(() => expect(tries).toBeGreaterThan(1), soon)
      return begun
    } finally {
      await server.query(`alter database ${database}_away rename to ${database}`)
      await server.query(`alter database ${database} allow_connections true`)
      await server.end()
    }
  }
  const working = await starting()
  opened.push(working)
  await working.begin(club.system)
  await working.begin(club.system)
  await working.send(club.system, 'late', { n: 1 })
  await vi.waitFor(() => expect(ran).toContainEqual({ name: 'late', data: { n: 1 } }), soon)
})

test('a start that fails for another reason is not tried again', async () => {
  let tries = 0
  const start = startWhenPossible(log, async () => {
    tries += 1
    throw new Error('a bug')
  })
  await expect(start).rejects.toThrow('a bug')
  expect(tries).toBe(1)
})

describe('a job', () => {
  test('sent in a transaction runs if that commits, and never if it is undone', async () => {
    ran = []
    const jobs = [noting('welcome')]
    const sending = await open(jobs)
    const undone = inTransaction(club.system, async (ctx) => {
      await sending.send(ctx, 'welcome', { who: 'no-one' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await inTransaction(club.system, async (ctx) => {
      await sending.send(ctx, 'welcome', { who: 'anna' })
      await inTransaction(ctx, async (ctx) => {
        await sending.send(ctx, 'welcome', { who: 'half of it' })
        throw new Error('only this')
      }).catch(() => {})
    })
    expect(await stateOf('welcome')).toHaveLength(1)
    await work(jobs)
    await vi.waitFor(() => expect(ran).toHaveLength(1), soon)
    await vi.waitFor(
      async () => expect(await stateOf('welcome')).toEqual([{ state: 'completed', retries: 0 }]),
      soon,
    )
    expect(ran).toEqual([{ name: 'welcome', data: { who: 'anna' } }])
  })

  test('sent for later waits until then, and one whose time has passed runs at once', async () => {
    const [later, due] = ['for-later', 'overdue']
    const sending = await open([noting(later), noting(due)])
    const in10Minutes = new Date(Date.now() + 600_000)
    await sending.send(club.system, later, { n: 1 }, { notBefore: in10Minutes })
    await sending.send(club.system, due, { n: 2 }, { notBefore: new Date(Date.now() - 600_000) })
    ran = []
    await work([noting(later), noting(due)])
    await vi.waitFor(() => expect(ran).toEqual([{ name: due, data: { n: 2 } }]), soon)
    const { rows } = await sql<{ at: string }>`
      select start_after as at from pgboss.job where name = ${later}`.execute(club.system.db)
    expect(rows.map(({ at }) => new Date(at))).toEqual([in10Minutes])
  })

  test('that keeps failing is repeated, then laid aside with what it held, and stops no other', async () => {
    ran = []
    const jobs = [noting('fragile', { retryLimit: 1 }), noting('sturdy')]
    const sending = await open(jobs)
    await work(jobs)
    await sending.send(club.system, 'fragile', { fails: true, id: 'x' })
    await sending.send(club.system, 'fragile', { id: 'y' })
    await sending.send(club.system, 'sturdy', { id: 'z' })
    await vi.waitFor(() => expect(ran).toContainEqual({ name: 'sturdy', data: { id: 'z' } }), soon)
    await vi.waitFor(async () => {
      expect(await stateOf('fragile')).toEqual([
        { state: 'failed', retries: 1 },
        { state: 'completed', retries: 0 },
      ])
    }, soon)
    expect(ran.filter(({ data }) => data.id === 'x')).toHaveLength(2)
    const { rows } = await sql`select data from pgboss.job where name = 'dead-letters'`.execute(
      club.system.db,
    )
    expect(rows).toEqual([{ data: { fails: true, id: 'x' } }])
  })

  test('runs once though two workers look for it', async () => {
    ran = []
    const jobs = [noting('shared')]
    const sending = await open(jobs)
    await work(jobs)
    await work(jobs)
    for (let count = 0; count < 12; count += 1) await sending.send(club.system, 'shared', { count })
    await vi.waitFor(() => expect(ran.length).toBeGreaterThanOrEqual(12), soon)
    expect(new Set(ran.map(({ data }) => data.count)).size).toBe(12)
    expect(ran).toHaveLength(12)
  })

  test('acts for the product itself, under a log of its own', async () => {
    const seen: Ctx[] = []
    const jobs = [noting('acting', { run: async (ctx) => void seen.push(ctx) })]
    const sending = await open(jobs)
    await work(jobs)
    await sending.send(club.system, 'acting')
    await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
    expect(seen[0]?.who).toEqual({ role: 'system', id: null })
    expect(seen[0]?.log.bindings()).toMatchObject({ job: 'acting', jobId: expect.any(String) })
  })
})

describe('the club’s jobs', () => {
  const all = allJobs({
    transport: { send: async () => {}, verify: async () => {}, close: () => {} },
    connection: inject('postgres'),
  })

  test.for([
    'measure-figures',
    'count-exchanges',
    'measure-medians',
    'measure-money',
    'search-rings',
    'check-invariants',
  ])('give their statements minutes where they read the whole club: %s', async (name) => {
    const texts: string[] = []
    const reading: KyselyPlugin = {
      transformQuery({ node }) {
        if (RawNode.is(node)) texts.push(node.sqlFragments.join('?'))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const db = club.system.db.withPlugin(reading)
    // A run of the invariants works in the jobs that name it.
    const batch = name === 'check-invariants' ? [{ runId: newId() }] : []
    await all.find((job) => job.name === name)?.run({ ...club.system, db }, batch)
    expect(texts).toContain("select set_config('statement_timeout', ?, true)")
  })

  test('are each known, limited in time and on their schedule once, however many workers start', async () => {
    await open(all)
    for (let worker = 0; worker < 2; worker += 1) opened.push(await workJobs(club.connection, log, all))
    const { rows: queues } = await sql<{ name: string; expire: number; dead: string | null }>`
      select name, expire_seconds as expire, dead_letter as dead from pgboss.queue`.execute(club.system.db)
    for (const { name, expireInSeconds } of all) {
      expect(queues).toContainEqual({ name, expire: expireInSeconds, dead: 'dead-letters' })
      expect(expireInSeconds).toBeLessThanOrEqual(300)
    }
    const { rows: schedules } = await sql<{ name: string; cron: string; timezone: string }>`
      select name, cron, timezone from pgboss.schedule order by name`.execute(club.system.db)
    const expected = all.flatMap(({ name, cron }) => (cron ? [{ name, cron, timezone: 'UTC' }] : []))
    expect(schedules).toEqual(expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  test('keep their schedule when the clock of the database was set back', async () => {
    await sql`update pgboss.version set cron_on = now() + interval '1 hour'`.execute(club.database.db)
    await sql`update pgboss.queue set monitor_on = now() + interval '1 hour'`.execute(club.database.db)
    const working = await workJobs(club.connection, log, [noting('nightly', { cron: '0 3 * * *' })])
    opened.push(working)
    await working.begin(club.system)
    const ahead = async () => {
      const { rows } = await sql`select from pgboss.version where cron_on > now() + interval '1 minute'
        union all select from pgboss.queue where monitor_on > now() + interval '1 minute'`.execute(
        club.database.db,
      )
      return rows.length
    }
    await expect.poll(ahead).toBe(0)
  })

  test('start again when the clock of the database was set back, and daily ones not twice', async () => {
    const each = [noting('often', { cron: '* * * * *' }), noting('daily', { cron: '0 3 * * *' })]
    const first = await workJobs(club.connection, log, [...each, noting('waiting'), noting('lost')])
    opened.push(first)
    for (const { name } of each) {
      await sql`insert into pgboss.job (name, data, state, singleton_key, singleton_on)
        values ('__pgboss__send-it', jsonb_build_object('name', ${name}::text), 'completed',
          ${`${name}__`}, (now() + interval '1 hour') at time zone 'UTC')`.execute(club.database.db)
    }
    await sql`insert into pgboss.job (name, created_on, start_after, retry_limit) values
      ('waiting', now() + interval '1 hour', now() + interval '1 hour', 0)`.execute(club.database.db)
    // A worker that ended without a word.
    await sql`insert into pgboss.job (name, state, start_after, started_on, expire_seconds, retry_limit)
      values ('lost', 'active', now(), now() + interval '1 hour', 30, 0)`.execute(club.database.db)
    ran = []
    await first.begin(club.system)
    await expect.poll(() => ran.map(({ name }) => name), soon).toContain('waiting')
    const taken = async () => {
      const { rows } = await sql<{ name: string }>`select data ->> 'name' as name from pgboss.job
        where singleton_on > (now() + interval '1 minute') at time zone 'UTC'`.execute(club.database.db)
      return rows.map(({ name }) => name)
    }
    expect(await taken()).toEqual(['daily'])
    // Each queue is looked at by itself, so the lost job may be found after the waiting one has run.
    const startedAhead = async () => {
      const { rows } = await sql`select from pgboss.job where started_on > now()`.execute(club.database.db)
      return rows.length
    }
    await expect.poll(startedAhead, soon).toBe(0)
  })

  test('go on when the clock of their own machine was set back', async () => {
    await work([noting('often', { cron: '* * * * *' })])
    const lastLook = async () => {
      const { rows } = await sql<{ at: string | null }>`select cron_on as at from pgboss.version`.execute(
        club.database.db,
      )
      return rows[0]?.at ?? ''
    }
    await expect.poll(lastLook, soon).not.toBe('')
    const before = await lastLook()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    try {
      await vi.waitUntil(async () => (await lastLook()) > before, soon)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that no longer have a schedule lose it', async () => {
    opened.push(await workJobs(club.connection, log, [noting('seasonal', { cron: '0 0 * * *' })]))
    opened.push(await workJobs(club.connection, log, [noting('seasonal')]))
    const { rows } = await sql`select name from pgboss.schedule where name = 'seasonal'`.execute(
      club.system.db,
    )
    expect(rows).toEqual([])
  })
})
