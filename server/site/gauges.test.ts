import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { missingNames, readNamedFigures } from '#scripts/named-figures.ts'
import { newId } from '#server/kit/ctx.ts'
import { checkInvariants } from '#server/kit/invariant-runs.ts'
import { queueMail } from '#server/kit/mail/mail.ts'
import { openLog } from '#server/kit/log.ts'
import { observeJob, observeRequest, serveMetrics, timePartner } from '#server/kit/observe/metrics.ts'
import { addProductOf, askForReview } from '#server/matching/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { recordBackup, recordDrill } from './backups.ts'
import { openClubGauges, openWebGauges, readClubFigures } from './gauges.ts'

const club = useClub()

test('an empty club has nothing that waits', async () => {
  const { ages, counts, waiting } = await readClubFigures(club.system)
  expect(ages).toEqual({
    jobs: expect.any(Number),
    mails: 0,
    events: expect.any(Number),
    requests: 0,
    'partner-calls': 0,
  })
  expect(waiting).toEqual({
    'under an hour': 0,
    'under a day': 0,
    'under three days': 0,
    'under a week': 0,
    longer: 0,
  })
  // Invariants that were never checked are not known to hold.
  expect(counts).not.toHaveProperty('invariants-broken')
  expect(counts).toMatchObject({
    'mails-waiting': 0,
    'mails-failed': 0,
    'requests-waiting': 0,
    'offers-open': 0,
  })
})

test('what waits or failed is counted, with its age', async () => {
  const { db } = club.system
  const memberId = await club.idOf('anna')
  for (const template of ['waiting', 'failed']) {
    await queueMail(club.system, {
      to: 'anna@evenhand.example',
      memberId,
      template,
      props: {},
      dedupeKey: newId(),
    })
  }
  await sql`update mails set next_try_at = clock_timestamp() - interval '90 seconds'
    where template = 'waiting'`.execute(db)
  await sql`update mails set failed_at = clock_timestamp() where template = 'failed'`.execute(db)
  const breaches = JSON.stringify([{ invariant: 3, rows: [] }])
  await sql`insert into invariant_runs (id, finished_at, breaches)
    values (${newId()}, clock_timestamp(), ${breaches})`.execute(db)
  const { ages, counts } = await readClubFigures(club.system)
  expect(ages.mails).toBeGreaterThanOrEqual(90)
  expect(counts).toMatchObject({ 'mails-waiting': 1, 'mails-failed': 1, 'invariants-broken': 1 })
  expect(ages.invariants).toBeGreaterThanOrEqual(0)
})

test('requests are counted by for how long they have waited', async () => {
  const hours = [0, 5, 48, 100, 300, 400]
  for (const age of hours) {
    const member = await club.newMember(`waits-${age}`)
    const productId = await addProductOf(member, `waiting-${age}`)
    await askForReview(member, productId)
    await sql`update review_queue set created_at = clock_timestamp() - make_interval(hours => ${age})
      where product_id = ${productId}`.execute(club.system.db)
  }
  const { ages, waiting } = await readClubFigures(club.system)
  expect(ages.requests).toBeGreaterThanOrEqual(400 * 3600)
  expect(waiting).toEqual({
    'under an hour': 1,
    'under a day': 1,
    'under three days': 1,
    'under a week': 1,
    longer: 2,
  })
})

test('every figure that the alerts and the dashboard name is served, with its labels', async () => {
  const made = { snapshotAt: '2026-11-22T02:00:00Z', rows: 90, files: 7 }
  await recordBackup(club.system, { ...made, bytes: 4200, encrypted: true })
  await recordDrill(club.system, { ...made, seconds: 3, fault: null })
  openClubGauges(club.system)
  openWebGauges(club.system, {
    live: { count: () => 0 },
    pool: { waitingCount: 0, totalCount: 0 },
    overload: { shed: () => ({ database: 0, processor: 0, streams: 0 }) },
    passwordsRefused: () => 7,
  })
  await checkInvariants(club.system, { runId: newId() })
  observeRequest('GET', '/api/me', 200, 0.01)
  for (const outcome of ['done', 'failed'] as const) observeJob('send-mails', outcome, 0.01)
  await timePartner('mail', () => Promise.reject(new Error('away'))).catch(() => {})
  const served = await scrape()
  expect(served).toContain('evenhand_partner_seconds_count{partner="mail",outcome="failed"} 1')
  expect(served).toContain('evenhand_shed_requests_total{reason="passwords"} 7')
  const named = await readNamedFigures()
  expect(named.names.length).toBeGreaterThan(15)
  expect(missingNames(named, served)).toEqual([])
  expect(named.labels.filter((label) => !served.includes(label))).toEqual([])
})

async function scrape() {
  const server = serveMetrics(0, '127.0.0.1', openLog('test', 'silent'))
  await once(server, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  server.close()
  return text
}
