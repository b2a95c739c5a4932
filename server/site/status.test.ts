// The status of the parts, read from rows as the checks write them. Time moves by editing rows.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { statusParts, statusRules } from '#contract/site.ts'
import type { PartState, Status, StatusPart } from '#contract/site.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { stopClock } from '#server/testing/clock.ts'
import { useClub } from '#server/testing/club.ts'
import { recordDrill } from './backups.ts'
import { keepChecks, noteSilence, rollUp } from './records.ts'
import { getStatus, partGauges } from './status.ts'

const parts = Object.keys(statusParts) as StatusPart[]
const club = useClub()
// Without a stopped clock, a minute could end between two lines and shift the ages of the rows.
beforeEach(() => stopClock(club.system))

/** A check from the given number of minutes ago. */
const past = (part: StatusPart, ok: boolean, minutesAgo: number, tookMs = 5) => ({
  part,
  ok,
  tookMs,
  note: ok ? null : 'It broke.',
  secondsAgo: minutesAgo * 60,
})

async function stateOf(part: StatusPart): Promise<PartState | undefined> {
  return find(await getStatus(club.system), part)?.state
}

const find = (status: Status, part: StatusPart) => status.parts.find((each) => each.part === part)

async function rows() {
  return club.system.db.selectFrom('statusChecks').selectAll().orderBy('at').execute()
}

describe('a minute of a part', () => {
  test('is one row, even when several processes check in it, and fails when one check fails', async () => {
    await keepChecks(club.system, [past('database', true, 0, 3)])
    await keepChecks(club.system, [past('database', true, 0, 9)])
    expect(await rows()).toMatchObject([{ part: 'database', ok: true, tookMs: 9, note: null }])
    await keepChecks(club.system, [past('database', false, 0), past('database', true, 0)])
    await keepChecks(club.system, [past('database', true, 0)])
    expect(await rows()).toMatchObject([{ part: 'database', ok: false, tookMs: 9, note: 'It broke.' }])
  })

  test('that was measured while the database was away is stored under its own time', async () => {
    await keepChecks(club.system, [
      past('database', false, 7),
      past('database', false, 6),
      past('database', true, 0),
    ])
    const { rows: ages } = await sql<{ minutes: number }>`
      select round(extract(epoch from date_trunc('minute', clock_timestamp()) - at) / 60)::int as minutes
      from status_checks order by at`.execute(club.system.db)
    expect(ages.map(({ minutes }) => minutes)).toEqual([7, 6, 0])
  })
})

describe('a part', () => {
  test('that was never measured is unknown and has no uptime', async () => {
    const status = await getStatus(club.system)
    expect(status.reachable).toBe(true)
    expect(status.parts.map(({ part }) => part)).toEqual(parts)
    for (const part of status.parts) {
      expect(part).toMatchObject({ state: 'unknown', checkedAt: null, checks: 0, failed: 0 })
      expect(part.days).toHaveLength(statusRules.days)
      expect(part.days.every(({ state, checks }) => state === 'unknown' && checks === 0)).toBe(true)
    }
    expect(status.incidents).toEqual([])
  })

  test('is degraded after one failed check, down after three in a row, and up after a pass', async () => {
    await keepChecks(club.system, [past('mail', true, 8)])
    expect(await stateOf('mail')).toBe('unknown')
    const seen: unknown[] = []
    for (const [minutesAgo, ok] of [
      [5, true],
      [4, false],
      [3, false],
      [2, false],
      [1, false],
      [0, true],
    ] as const) {
      await keepChecks(club.system, [past('mail', ok, minutesAgo)])
      await keepChecks(club.system, [past('files', true, minutesAgo)])
      // The state at that minute: later checks do not exist yet, and the newest check is fresh.
      seen.push(await stateAsIf(minutesAgo, 'mail'))
    }
    expect(seen).toEqual(['operational', 'degraded', 'degraded', 'down', 'down', 'operational'])
    expect(await stateOf('files')).toBe('operational')
  })

  /** Moves all checks ahead by some minutes, reads the state, and moves them back. */
  async function stateAsIf(minutesAgo: number, part: StatusPart) {
    const move = (minutes: number) =>
      sql`update status_checks set at = at + make_interval(mins => ${minutes + 1000})`
        .execute(club.system.db)
        .then(() => sql`update status_checks set at = at - interval '1000 minutes'`.execute(club.system.db))
    await move(minutesAgo)
    const state = await stateOf(part)
    await move(-minutesAgo)
    return state
  }

  test('without a check for some minutes is unknown, in whatever state it was before', async () => {
    await keepChecks(club.system, [
      past('files', true, statusRules.staleMinutes + 2),
      past('live', false, 6),
      past('live', false, 7),
      past('live', false, 8),
    ])
    expect(await stateOf('files')).toBe('unknown')
    expect(await stateOf('live')).toBe('unknown')
    await keepChecks(club.system, [past('files', true, statusRules.staleMinutes - 1)])
    expect(await stateOf('files')).toBe('operational')
  })

  test('whose process is silent is marked as failed by another process until it reports', async () => {
    await keepChecks(club.system, [past('jobs', true, 2)])
    await noteSilence(club.system, 'jobs')
    expect(await rows()).toHaveLength(1)
    await sql`update status_checks set at = at - interval '10 minutes'`.execute(club.system.db)
    await noteSilence(club.system, 'jobs')
    await noteSilence(club.system, 'jobs')
    expect((await rows()).map(({ ok }) => ok)).toEqual([true, false])
    expect(await stateOf('jobs')).toBe('degraded')
    // The marks do not count as checks: the next minute is marked as well.
    await sql`update status_checks set at = at - interval '1 minute'`.execute(club.system.db)
    await noteSilence(club.system, 'jobs')
    expect((await rows()).map(({ ok }) => ok)).toEqual([true, false, false])
  })

  test('whose report arrives late has the reported result instead of the mark', async () => {
    await noteSilence(club.system, 'website')
    await keepChecks(club.system, [past('website', true, 0, 7)])
    expect(await rows()).toMatchObject([{ ok: true, tookMs: 7, note: null }])
    await sql`delete from status_checks`.execute(club.system.db)
    await noteSilence(club.system, 'website')
    await keepChecks(club.system, [past('website', false, 0)])
    expect(await rows()).toMatchObject([{ ok: false, note: 'It broke.' }])
  })

  test('is a figure for the operator’s alarms, and has no figure while its state is unknown', async () => {
    await keepChecks(club.system, [past('website', true, 0), past('mail', false, 0)])
    await keepChecks(club.system, [past('files', false, 2), past('files', false, 1), past('files', false, 0)])
    expect(await partGauges(club.system)).toEqual({ website: 1, mail: 0.5, files: 0 })
  })
})

describe('the days of a part', () => {
  /** Fills a day some days ago with this many minutes from midnight, of which the given ones failed. */
  async function fill(part: StatusPart, daysAgo: number, minutes: number, failed: number[] = []) {
    await sql`
      insert into status_checks (part, at, ok, took_ms)
      select ${part},
        (((clock_timestamp() at time zone 'UTC')::date - ${daysAgo}::int)::timestamp at time zone 'UTC')
          + make_interval(mins => n),
        n <> all(${failed}::int[]), 4
      from generate_series(0, ${minutes - 1}) n`.execute(club.system.db)
  }

  async function daysOf(part: StatusPart) {
    const days = find(await getStatus(club.system), part)?.days ?? []
    return days
      .filter(({ checks }) => checks > 0)
      .map(({ state, checks, failed }) => ({ state, checks, failed }))
  }

  test('count only measured minutes: a missing minute is neither up nor down', async () => {
    await fill('files', 1, 600, [30, 200])
    expect(await daysOf('files')).toEqual([{ state: 'degraded', checks: 600, failed: 2 }])
    expect(find(await getStatus(club.system), 'files')).toMatchObject({ checks: 600, failed: 2 })
  })

  test('were down when several checks in a row failed, and degraded when single checks failed', async () => {
    await fill('mail', 1, 100, [10, 11, 12])
    await fill('live', 1, 100, [10, 20, 30])
    await fill('files', 1, 100)
    expect(await daysOf('mail')).toEqual([{ state: 'down', checks: 100, failed: 3 }])
    expect(await daysOf('live')).toEqual([{ state: 'degraded', checks: 100, failed: 3 }])
    expect(await daysOf('files')).toEqual([{ state: 'operational', checks: 100, failed: 0 }])
  })

  test('read the same before and after they are summed up, also when summed up again', async () => {
    for (const daysAgo of [0, 1, 2])
      await fill('mail', daysAgo, daysAgo === 0 ? 1 : 1440, daysAgo === 1 ? [5, 6, 7, 900] : [])
    await rollUp(club.system)
    const first = await daysOf('mail')
    expect(first).toEqual([
      { state: 'operational', checks: 1440, failed: 0 },
      { state: 'down', checks: 1440, failed: 4 },
      { state: 'operational', checks: 1, failed: 0 },
    ])
    await rollUp(club.system)
    expect(await daysOf('mail')).toEqual(first)
  })

  test('keep their sums when their minutes are deleted', async () => {
    await fill('mail', 3, 1440, [100, 101, 102, 103])
    await fill('mail', 2, 1440, [7])
    await rollUp(club.system)
    const kept = await rows()
    // Only the failed minutes of the older day are left, for the incidents. They do not count as a whole
    // failed day.
    expect(kept.filter(({ ok }) => !ok)).toHaveLength(5)
    expect(kept.filter(({ ok }) => ok)).toHaveLength(1439)
    await rollUp(club.system)
    expect(await daysOf('mail')).toEqual([
      { state: 'down', checks: 1440, failed: 4 },
      { state: 'degraded', checks: 1440, failed: 1 },
    ])
  })

  test('are summed up late when no worker ran in time', async () => {
    await fill('files', 6, 300, [1])
    await rollUp(club.system)
    expect(await daysOf('files')).toEqual([{ state: 'degraded', checks: 300, failed: 1 }])
  })

  test('are ninety, and older ones are deleted', async () => {
    const insert = (daysAgo: number) =>
      sql`
      insert into status_days (part, day, checks, failed, worst)
      values ('live', (clock_timestamp() at time zone 'UTC')::date - ${daysAgo}::int, ${daysAgo}, 0,
        'operational')`.execute(club.system.db)
    for (const daysAgo of [89, 90]) await insert(daysAgo)
    await fill('live', 95, 3, [0, 1, 2])
    expect((await daysOf('live')).map(({ checks }) => checks)).toEqual([89])
    await rollUp(club.system)
    const { rows: left } = await sql<{ checks: number }>`select checks from status_days`.execute(
      club.system.db,
    )
    expect(left).toEqual([{ checks: 89 }])
    expect(await rows()).toEqual([])
  })
})

describe('an incident', () => {
  test('is a run of overlapping failures of any parts, from the first minute to the last', async () => {
    const checks = (part: StatusPart, minutesAgo: number[]) =>
      minutesAgo.map((minutes) => past(part, false, minutes))
    await keepChecks(club.system, [
      ...checks('mail', [60, 59, 58, 57]),
      ...checks('files', [58, 57, 56]),
      ...checks('live', [30, 29]),
    ])
    await keepChecks(club.system, [past('mail', true, 56), past('files', true, 55)])
    const { incidents } = await getStatus(club.system)
    expect(incidents).toHaveLength(1)
    expect(incidents[0]?.parts).toEqual(['mail', 'files'])
    const minutes =
      (Date.parse(incidents[0]?.endedAt ?? '') - Date.parse(incidents[0]?.startedAt ?? '')) / 60_000
    expect(minutes).toBe(5)
  })

  test('of a flapping part is counted once', async () => {
    await keepChecks(
      club.system,
      [20, 19, 17, 16, 13].map((minutes) => past('live', false, minutes)),
    )
    await keepChecks(
      club.system,
      [18, 15, 14].map((minutes) => past('live', true, minutes)),
    )
    expect((await getStatus(club.system)).incidents).toHaveLength(1)
  })

  test('lasts while the checks fail, and ends with the first passed check', async () => {
    await keepChecks(
      club.system,
      [4, 3, 2, 1].map((minutes) => past('database', false, minutes)),
    )
    expect((await getStatus(club.system)).incidents).toMatchObject([{ parts: ['database'], endedAt: null }])
    await keepChecks(club.system, [past('database', true, 0)])
    expect((await getStatus(club.system)).incidents).toMatchObject([{ endedAt: expect.any(String) }])
  })

  test('from weeks ago is still listed, the newest first', async () => {
    await keepChecks(
      club.system,
      [3, 2, 1].map((minutes) => past('mail', false, 40 * 1440 + minutes)),
    )
    await keepChecks(
      club.system,
      [3, 2, 1].map((minutes) => past('jobs', false, 20 * 1440 + minutes)),
    )
    await rollUp(club.system)
    expect((await getStatus(club.system)).incidents.map((incident) => incident.parts)).toEqual([
      ['jobs'],
      ['mail'],
    ])
  })
})

describe('without the database', () => {
  test('a database that hangs counts as down', async () => {
    const other = openDatabase(club.connection, { name: 'test', log: openLog('test', 'silent'), max: 1 })
    // This test's transaction locks the table, so that the other connection waits.
    await sql`savepoint unlocked`.execute(club.system.db)
    await sql`lock table status_checks in access exclusive mode`.execute(club.system.db)
    const ctx: Ctx = { ...club.system, kit: { ...club.system.kit }, db: other.db }
    const status = await getStatus(ctx, 0.2)
    await sql`rollback to savepoint unlocked`.execute(club.system.db)
    await other.close()
    expect(status.reachable).toBe(false)
    expect(find(status, 'database')?.state).toBe('down')
  })

  test('the database is down and the website works, with the history that was read last', async () => {
    const away = openDatabase(
      { ...club.connection, port: 1 },
      { name: 'test', log: openLog('test', 'silent') },
    )
    try {
      const kit = { ...club.system.kit }
      const cut: Ctx = { ...club.system, kit, db: away.db }
      const blind = await getStatus(cut)
      expect(blind).toMatchObject({ reachable: false, incidents: [] })
      expect(find(blind, 'website')?.state).toBe('operational')
      expect(find(blind, 'database')?.state).toBe('down')
      expect(find(blind, 'files')?.state).toBe('unknown')
      expect(blind.parts.every(({ days, checks }) => days.length === statusRules.days && checks === 0)).toBe(
        true,
      )

      await keepChecks(club.system, [past('files', true, 1), past('files', true, 0)])
      await getStatus({ ...club.system, kit })
      const remembering = await getStatus(cut)
      expect(remembering.reachable).toBe(false)
      expect(find(remembering, 'files')).toMatchObject({ state: 'unknown', checks: 2, failed: 0 })
    } finally {
      await away.close()
    }
  })
})

test('the last restore drill is shown, whatever came after it failed', async () => {
  expect((await getStatus(club.system)).restoreDrill).toBeNull()
  const good = { snapshotAt: '2026-11-22T02:00:00Z', seconds: 190, rows: 9000, files: 77, fault: null }
  await recordDrill(club.system, good)
  await recordDrill(club.system, { ...good, snapshotAt: null, fault: 'It is damaged or cut off.' })
  const { restoreDrill } = await getStatus(club.system)
  expect(restoreDrill).toMatchObject({
    snapshotAt: expect.stringMatching(/^2026-11-22T02:00:00/),
    seconds: 190,
  })
})
