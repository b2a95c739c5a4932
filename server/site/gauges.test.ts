import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail/mail.ts'
import { useClub } from '#server/testing/club.ts'
import { readClubFigures } from './gauges.ts'

const club = useClub()

test('an empty club has nothing that waits', async () => {
  const { ages, counts } = await readClubFigures(club.system)
  expect(ages).toEqual({ jobs: expect.any(Number), mails: 0, events: expect.any(Number), requests: 0 })
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
  await sql`update mails set next_try_at = clock_timestamp() - interval '90 seconds' where template = 'waiting'`.execute(
    db,
  )
  await sql`update mails set failed_at = clock_timestamp() where template = 'failed'`.execute(db)
  const breaches = JSON.stringify([{ invariant: 3, rows: [] }])
  await sql`insert into invariant_runs (id, finished_at, breaches)
    values (${newId()}, clock_timestamp(), ${breaches})`.execute(db)
  const { ages, counts } = await readClubFigures(club.system)
  expect(ages.mails).toBeGreaterThanOrEqual(90)
  expect(counts).toMatchObject({ 'mails-waiting': 1, 'mails-failed': 1, 'invariants-broken': 1 })
})
