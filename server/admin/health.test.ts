import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { discardJob, readQueues, retryJob } from '#server/kit/failed-jobs.ts'
import { checkInvariants, runInvariants } from '#server/kit/invariant-runs.ts'
import { addBounce, hasBounced } from '#server/kit/mail/bounces.ts'
import { clearBouncedAddress, discardMail, resendMail } from '#server/kit/mail/failed-mails.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { reportProcess } from '#server/site/processes.ts'
import { recordBackup, recordDrill } from '#server/site/backups.ts'
import { readClubFigures } from '#server/site/gauges.ts'
import { countFiles } from '#server/site/storage.ts'
import { useClub } from '#server/testing/club.ts'
import {
  getDatabase,
  getInvariants,
  getOutbox,
  getProcesses,
  getQueues,
  getBackups,
  getStorage,
  within,
} from './health.ts'

const club = useClub()
const admin = () => club.as('ada')

async function recorded() {
  const rows = await club.system.db
    .selectFrom('staffActions')
    .select(['action', 'reason'])
    .orderBy('at')
    .execute()
  return rows.map(({ action, reason }) => (reason ? `${action}: ${reason}` : action))
}

describe('the processes', () => {
  test('are listed with version and streams while they report, and marked once they are silent', async () => {
    let streams = 3
    const reporting = reportProcess(club.system, { kind: 'web', streams: () => streams })
    await reporting.report()
    const listed = async () => (await getProcesses(await admin())).processes
    expect(await listed()).toMatchObject([
      { kind: 'web', streams: 3, silent: false, pid: process.pid, version: expect.stringMatching(/^\d/) },
    ])
    streams = 4
    await reporting.report()
    expect(await listed()).toMatchObject([{ streams: 4 }])
    await sql`update processes set seen_at = clock_timestamp() - interval '61 seconds'`.execute(
      club.system.db,
    )
    expect(await listed()).toMatchObject([{ silent: true }])
    await reporting.stop()
    expect(await listed()).toEqual([])
  })
})

describe('a failed job', () => {
  async function failed() {
    const id = newId()
    await sql`insert into pgboss.job (id, name, data, source_name, source_retry_count, source_output)
      values (${id}, 'dead-letters', '{"mailId":"m1"}', 'send-mails', 2,
        '{"message":"The server hung up."}')`.execute(club.system.db)
    return id
  }

  test('is listed with its queue and its error', async () => {
    const id = await failed()
    const { failed: jobs, failedCount } = await getQueues(await admin())
    expect(failedCount).toBe(1)
    expect(jobs).toMatchObject([
      { id, queue: 'send-mails', error: 'The server hung up.', attempts: 3, data: '{"mailId": "m1"}' },
    ])
  })

  test('runs again once, for the first who asks', async () => {
    const id = await failed()
    await retryJob(await admin(), id)
    expect(club.sent).toEqual([{ name: 'send-mails', data: { mailId: 'm1' } }])
    await expect(retryJob(await admin(), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await readQueues(club.system)).failedCount).toBe(0)
    expect(await recorded()).toEqual(['job_retried'])
  })

  test('is dropped with a reason, and then does not run', async () => {
    const id = await failed()
    await discardJob(await admin(), { id, reason: 'Its mail was answered by hand.' })
    expect(club.sent).toEqual([])
    expect(await recorded()).toEqual(['job_discarded: Its mail was answered by hand.'])
    await expect(discardJob(await admin(), { id, reason: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a failed mail', () => {
  async function failed(props: Record<string, string>) {
    const id = newId()
    await sql`insert into mails (id, dedupe_key, member_id, to_address, template, props, attempts, error,
        failed_at)
      select ${id}, ${id}, m.id, m.email, 'offer-made', ${JSON.stringify(props)}::jsonb, 4, 'Mailbox full',
        clock_timestamp() from members m where username = 'anna'`.execute(club.system.db)
    return id
  }

  test('is listed with a masked address, and sent again once', async () => {
    const id = await failed({ name: 'Anna' })
    const ada = await admin()
    const outbox = await getOutbox(ada)
    expect(outbox).toMatchObject({
      waiting: 0,
      failedCount: 1,
      failed: [{ id, template: 'offer-made', error: 'Mailbox full', attempts: 4, complete: true }],
    })
    expect(JSON.stringify(outbox)).not.toContain('anna@')
    await resendMail(ada, id)
    expect(await getOutbox(ada)).toMatchObject({ waiting: 1, failedCount: 0 })
    expect(club.sent).toEqual([{ name: 'send-mails', data: { mailId: id } }])
    await expect(resendMail(ada, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await recorded()).toEqual(['mail_sent_again'])
  })

  test('whose content went with its secret is not sent again, and can be dropped', async () => {
    const id = await failed({})
    const ada = await admin()
    await expect(resendMail(ada, id)).rejects.toMatchObject({ code: 'CONTENT_GONE', status: 409 })
    await discardMail(ada, { id, reason: 'The link is void.' })
    await expect(discardMail(ada, { id, reason: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await recorded()).toEqual(['mail_discarded: The link is void.'])
  })

  test('that waits or was sent is not touched', async () => {
    const id = await failed({ name: 'Anna' })
    await sql`update mails set failed_at = null where id = ${id}`.execute(club.system.db)
    const ada = await admin()
    await expect(discardMail(ada, { id, reason: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(resendMail(ada, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('a bounced address is named without being shown, and gets mail again with a reason', async () => {
  await addBounce(club.system, 'anna@evenhand.example')
  const ada = await admin()
  const { bounced, bouncedCount } = await getOutbox(ada)
  expect(bouncedCount).toBe(1)
  expect(bounced).toMatchObject([{ memberId: await club.idOf('anna') }])
  expect(JSON.stringify(bounced)).not.toContain('anna@')
  await clearBouncedAddress(ada, { key: bounced[0]?.key ?? '', reason: 'She wrote from there.' })
  expect(await hasBounced(club.system, 'anna@evenhand.example')).toBe(false)
  await expect(clearBouncedAddress(ada, { key: bounced[0]?.key ?? '', reason: 'x' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(await recorded()).toEqual(['bounce_cleared: She wrote from there.'])
})

describe('the invariants', () => {
  const check = (data: { runId?: string } = {}) => checkInvariants(club.system, data)

  test('are checked on request, by a job that stores what it found', async () => {
    const ada = await admin()
    const { id } = await runInvariants(ada)
    // A second request waits for the same run.
    expect(await runInvariants(await club.as('ada'))).toEqual({ id })
    expect(club.sent).toEqual([{ name: 'check-invariants', data: { runId: id } }])
    await check({ runId: id })
    const { rules, runs } = await getInvariants(ada)
    expect(rules).toBeGreaterThan(20)
    expect(runs).toMatchObject([{ id, breaches: [], error: null, finishedAt: expect.any(String) }])
    expect((await runInvariants(ada)).id).not.toBe(id)
  })

  test('that are broken are stored with their rows', async () => {
    const anna = await club.idOf('anna')
    await sql`update reviewer_states set balance = 1 where member_id = ${anna}`.execute(club.system.db)
    await check({ runId: newId() })
    const [run] = (await getInvariants(await admin())).runs
    await sql`update reviewer_states set balance = 0 where member_id = ${anna}`.execute(club.system.db)
    expect(run?.breaches.length).toBeGreaterThan(0)
    expect(run?.breaches[0]).toMatchObject({ invariant: expect.stringMatching(/^I\d/), rows: 1 })
  })

  test('are checked in parts where there is no time for all: a job each, and one result', async () => {
    const anna = await club.idOf('anna')
    const setBalance = (to: number) =>
      sql`update reviewer_states set balance = ${to} where member_id = ${anna}`.execute(club.system.db)
    const latest = async () => (await getInvariants(await admin())).runs[0]
    await setBalance(1)
    const { id } = await runInvariants(await admin())
    const { rules } = await getInvariants(await admin())
    for (let part = 1; part < rules; part += 1) {
      await checkInvariants(club.system, { runId: id }, 0)
      expect(await latest()).toMatchObject({ id, finishedAt: null })
      expect(club.sent).toHaveLength(part + 1)
      expect(club.sent.at(-1)).toEqual({ name: 'check-invariants', data: { runId: id } })
    }
    // What was broken when its rule was looked at stays in the result.
    await setBalance(0)
    await checkInvariants(club.system, { runId: id }, 0)
    expect(club.sent).toHaveLength(rules)
    const run = await latest()
    expect(run).toMatchObject({ id, finishedAt: expect.any(String) })
    expect(run?.breaches.map(({ invariant }) => invariant.slice(0, 4))).toEqual(['I19b'])
    // A repetition of its last job changes nothing.
    await check({ runId: id })
    expect(await latest()).toEqual(run)
  })

  test('begin by themselves only when no run is going, and after a rest of four times the last', async () => {
    const count = async () => (await getInvariants(await admin())).runs.length
    await check()
    expect(await count()).toBe(1)
    const [{ id } = { id: '' }] = (await getInvariants(await admin())).runs
    // Its parts name it, so that a repetition goes on with it.
    const sent = [{ name: 'check-invariants', data: { runId: id } }]
    expect(club.sent).toEqual(sent)
    await check()
    expect([await count(), club.sent]).toEqual([1, sent])
    await check({ runId: id })
    const lasted = (minutes: number, ago: number) =>
      sql`update invariant_runs set finished_at = clock_timestamp() - make_interval(mins => ${ago}),
        started_at = clock_timestamp() - make_interval(mins => ${ago + minutes}) where id = ${id}`.execute(
        club.system.db,
      )
    await lasted(5, 19)
    await check()
    expect(await count()).toBe(1)
    await lasted(5, 21)
    await check()
    expect(await count()).toBe(2)
  })
})

test('the files are counted by a job, and the space on their disk is read', async () => {
  const ada = await admin()
  expect((await getStorage(ada)).measured).toBeNull()
  await club.system.kit.files.put(newFileKey(), Buffer.from('twelve bytes'))
  await countFiles(club.system)
  const { measured, disk } = await getStorage(ada)
  expect(measured?.files).toBeGreaterThan(0)
  expect(measured?.bytes).toBeGreaterThanOrEqual(12)
  expect(disk?.freeBytes).toBeGreaterThan(0)
})

test('the latest backups and drills are shown, and how old they are is measured', async () => {
  const ada = await admin()
  expect(await getBackups(ada)).toEqual({ backups: [], drills: [], goodDrill: null })
  expect((await readClubFigures(club.system)).ages).not.toHaveProperty('backup')
  const snapshotAt = '2026-11-22T02:00:00Z'
  await recordBackup(club.system, { snapshotAt, bytes: 4200, rows: 90, files: 7, encrypted: true })
  await recordDrill(club.system, { snapshotAt, seconds: 3, rows: 90, files: 7, fault: null })
  await recordDrill(club.system, { snapshotAt: null, seconds: 1, rows: 0, files: 0, fault: 'No disk.' })
  const { backups, drills, goodDrill } = await getBackups(ada)
  expect(backups).toMatchObject([{ bytes: 4200, rows: 90, files: 7, encrypted: true }])
  expect(drills).toHaveLength(2)
  expect(goodDrill).toMatchObject({ seconds: 3 })
  const { ages } = await readClubFigures(club.system)
  expect(ages.backup).toBeGreaterThan(ages['restore-drill'] ?? Number.NaN)
})

test('the database shows its size, its largest tables, and why there are no slow queries', async () => {
  const database = await getDatabase(await admin())
  expect(database.bytes).toBeGreaterThan(1_000_000)
  expect(database.tables.length).toBeGreaterThan(5)
  expect(database.tables[0]?.bytes).toBeGreaterThanOrEqual(database.tables[1]?.bytes ?? 0)
  expect(database.slowMissing).toBe('not_loaded')
})

test('a part that takes too long is not available, and holds nothing up', async () => {
  await expect(
    within(await admin(), 1, async ({ db }) => sql`select pg_sleep(20)`.execute(db)),
  ).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 })
})
