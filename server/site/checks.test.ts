// The checks of the parts: on a database that commits, with a running relay, and with parts broken on
// purpose.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx, Jobs } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { databaseNow, openDatabase } from '#server/kit/db/db.ts'
import { StorageDown } from '#server/kit/uploads/files.ts'
import { openJobs } from '#server/kit/jobs.ts'
import { startRelay } from '#server/kit/live/relay.ts'
import type { Relay } from '#server/kit/live/relay.ts'
import { openLog } from '#server/kit/log.ts'
import { openTransport, queueMail } from '#server/kit/mail/mail.ts'
import type { Transport } from '#server/kit/mail/mail.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import { askLive, check } from './checks.ts'
import { startHeartbeat } from './heartbeat.ts'
import { answerChecks, checkParts, siteJobs } from './jobs.ts'

const club = useFreshClub()
const edge = useEdge(club)
const log = openLog('test', 'silent')
let relay: Relay
let transport: Transport

beforeAll(() => {
  transport = openTransport(club.config)
  relay = startRelay(club.connection, club.database, log)
})
afterAll(async () => {
  await relay.stop()
})
beforeEach(async () => {
  await sql`delete from status_checks`.execute(club.database.db)
})

const outside = (changed: Partial<Transport> = {}) => ({
  transport: { ...transport, ...changed },
  connection: club.connection,
})

async function kept() {
  const { rows } = await sql<{ part: string; ok: boolean; minutes: number; notes: string | null }>`
    select part, bool_and(ok) as ok, count(*)::int as minutes, string_agg(note, ' ') as notes
    from status_checks group by part order by part`.execute(club.database.db)
  return rows
}

describe('every minute', () => {
  test('each part is checked, and a job is sent that will report for the jobs', async () => {
    await checkParts(club.system, outside(), false)
    expect(await kept()).toMatchObject(
      ['database', 'files', 'live', 'mail'].map((part) => ({ part, ok: true, notes: null })),
    )
    expect(club.sent.at(-1)).toMatchObject({ name: 'answer-status', data: { sentAt: expect.any(String) } })
  })

  test('each part has one row, although several workers check at the same time and repeatedly', async () => {
    const { rows: before } = await sql`select date_trunc('minute', clock_timestamp()) as at`.execute(
      club.database.db,
    )
    await Promise.all([checkParts(club.system, outside(), false), checkParts(club.system, outside(), false)])
    await checkParts(club.system, outside(), false)
    const { rows: after } = await sql`select date_trunc('minute', clock_timestamp()) as at`.execute(
      club.database.db,
    )
    const minutes = JSON.stringify(before) === JSON.stringify(after) ? 1 : 2
    for (const row of await kept()) expect(row.minutes).toBeLessThanOrEqual(minutes)
    expect((await kept()).map(({ part }) => part)).toEqual(['database', 'files', 'live', 'mail'])
  })

  test('the schedule checks once a minute and sums up once an hour', () => {
    const schedule = Object.fromEntries(siteJobs(outside()).map(({ name, cron }) => [name, cron]))
    expect(schedule).toMatchObject({ 'check-status': '* * * * *', 'roll-up-status': '7 * * * *' })
  })
})

describe('a part that does not work', () => {
  const failing = () => kept().then((rows) => rows.filter(({ ok }) => !ok))

  test('is recorded, and the other parts are still checked', async () => {
    const refuses = { verify: () => Promise.reject(new Error('connect ECONNREFUSED')) }
    await checkParts(club.system, outside(refuses), false)
    expect(await failing()).toMatchObject([{ part: 'mail', notes: 'connect ECONNREFUSED' }])
    expect(await kept()).toHaveLength(4)
  })

  test('is the mail when a due mail is not sent', async () => {
    const id = newId()
    await queueMail(club.system, {
      to: 'a@evenhand.example',
      memberId: null,
      template: 'any',
      props: {},
      dedupeKey: id,
    })
    await checkParts(club.system, outside(), false)
    expect(await failing()).toEqual([])
    await sql`update mails set next_try_at = clock_timestamp() - interval '6 minutes'
      where dedupe_key = ${id}`.execute(club.database.db)
    await checkParts(club.system, outside(), false)
    expect(await failing()).toMatchObject([
      { part: 'mail', notes: expect.stringContaining('has been waiting') },
    ])
    await sql`delete from mails`.execute(club.database.db)
  })

  test('is the storage when it refuses a file or returns a different one', async () => {
    const { files } = club.system.kit
    const broken = (changed: Partial<typeof files>): Ctx => ({
      ...club.system,
      kit: { ...club.system.kit, files: { ...files, ...changed } },
    })
    await checkParts(
      broken({ put: () => Promise.reject(new StorageDown('storage down (EROFS)')) }),
      outside(),
      false,
    )
    expect(await failing()).toMatchObject([{ part: 'files', notes: 'storage down (EROFS)' }])
    await sql`delete from status_checks`.execute(club.database.db)
    await checkParts(broken({ get: async () => Buffer.from('another') }), outside(), false)
    expect(await failing()).toMatchObject([{ part: 'files' }])
    let left = 0
    for await (const _file of files.list('')) left += 1
    expect(left, 'files that the checks left behind').toBe(0)
  })

  test('is a part that does not answer in time', async () => {
    const never = await check('mail', () => new Promise(() => {}), 0.05)
    expect(never).toMatchObject({ part: 'mail', ok: false, note: 'No answer within 0.05 seconds.' })
  })

  test('are the live updates when no relay runs', async () => {
    await relay.stop()
    try {
      const asked = await check('live', (abandoned) => askLive(club.system, club.connection, abandoned), 0.3)
      expect(asked).toMatchObject({ ok: false, note: 'No answer within 0.3 seconds.' })
    } finally {
      relay = startRelay(club.connection, club.database, log)
    }
    expect(
      await check('live', (abandoned) => askLive(club.system, club.connection, abandoned)),
    ).toMatchObject({ ok: true })
  })
})

describe('the jobs', () => {
  let jobs: Jobs
  beforeAll(async () => {
    jobs = await openJobs(club.connection, log, siteJobs(outside()))
  })
  afterAll(() => jobs.stop())

  test('work when a sent job runs at once', async () => {
    await answerChecks(club.system, [{ sentAt: await databaseNow(club.system) }])
    expect(await kept()).toMatchObject([{ part: 'jobs', ok: true }])
  })

  test('fail when a sent job runs late', async () => {
    const { rows } = await sql<{ at: string }>`select clock_timestamp() - interval '2 minutes' as at`.execute(
      club.database.db,
    )
    await answerChecks(club.system, [{ sentAt: rows[0]?.at ?? '' }])
    expect(await kept()).toMatchObject([
      { part: 'jobs', ok: false, notes: expect.stringMatching(/12\d seconds after/) },
    ])
  })

  test('fail when another job has been waiting for minutes, except in the dead-letter queue', async () => {
    const sentAt = await databaseNow(club.system)
    await jobs.send(club.system, 'dead-letters')
    await sql`update pgboss.job set start_after = clock_timestamp() - interval '1 day'`.execute(
      club.database.db,
    )
    await answerChecks(club.system, [{ sentAt }])
    expect(await kept()).toMatchObject([{ part: 'jobs', ok: true }])
    await jobs.send(club.system, 'roll-up-status')
    await sql`update pgboss.job set start_after = clock_timestamp() - interval '6 minutes'`.execute(
      club.database.db,
    )
    await answerChecks(club.system, [{ sentAt }])
    expect(await kept()).toMatchObject([
      { part: 'jobs', ok: false, notes: expect.stringContaining('has been waiting for') },
    ])
  })
})

describe('a web process', () => {
  test('checks itself and the database', async () => {
    const heartbeat = startHeartbeat(club.system, `http://127.0.0.1:${edge.port}/livez`)
    await heartbeat.beat()
    heartbeat.stop()
    expect(await kept()).toMatchObject([
      { part: 'database', ok: true },
      { part: 'website', ok: true },
    ])
  })

  test('records that its address does not answer, or answers with an error', async () => {
    for (const address of ['http://127.0.0.1:1/', `http://127.0.0.1:${edge.port}/nothing-here`]) {
      await sql`delete from status_checks`.execute(club.database.db)
      const heartbeat = startHeartbeat(club.system, address)
      await heartbeat.beat()
      heartbeat.stop()
      expect(await kept()).toMatchObject([
        { part: 'database', ok: true },
        { part: 'website', ok: false },
      ])
    }
  })

  test('records an outage of the database when the database is back', async () => {
    const away = openDatabase({ ...club.connection, port: 1 }, { name: 'test', log })
    const ctx: Ctx = { ...club.system, db: away.db }
    const heartbeat = startHeartbeat(ctx, `http://127.0.0.1:${edge.port}/livez`)
    await heartbeat.beat()
    await heartbeat.beat()
    await away.close()
    expect(await kept()).toEqual([])
    ctx.db = club.database.db
    await heartbeat.beat()
    expect(await kept()).toMatchObject([
      { part: 'database', ok: false, notes: expect.stringMatching(/^connect /) },
      { part: 'website', ok: true },
    ])
    // A recorded outage is not recorded again.
    await sql`delete from status_checks`.execute(club.database.db)
    await heartbeat.beat()
    heartbeat.stop()
    expect(await kept()).toMatchObject([
      { part: 'database', ok: true },
      { part: 'website', ok: true },
    ])
  })
})
