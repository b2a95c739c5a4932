import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { canTakePart } from '#contract/membership.ts'
import type { StandingFacts } from '#contract/membership.ts'
import { newId } from '#server/kit/ctx.ts'
import { refreshStanding } from '#server/matching/standing.ts'
import { useClub } from '#server/testing/club.ts'
import { standingFacts, takesPart } from './standings.ts'

// A fixed seed, so that a failure repeats in every run.
fc.configureGlobal({ seed: 1 })

const club = useClub()

/** A member as rows: the account, and a membership or none. */
type Row = {
  verified: boolean
  username: boolean
  suspended: boolean
  /** Minutes until the suspension ends; null for one that our staff lifts. */
  lifted: number | null
  erased: boolean
  status: (typeof statuses)[number]
  /** Minutes until the time for a late payment is over, and until a cancelled membership ends. */
  grace: number
  ends: number | null
  /** Start and end of the pause, in minutes from now. */
  pause: { from: number; until: number } | null
}

const running = { from: -60, until: 60 }
const pauses = [null, running, { from: -120, until: -60 }, { from: 60, until: 120 }]
const statuses = [null, 'none', 'active', 'past_due', 'refunded', 'disputed', 'ended'] as const
const ends = [null, 60, -60]
const flags = [false, true]

const everyRow: Row[] = flags.flatMap((verified) =>
  flags.flatMap((username) =>
    flags.flatMap((suspended) =>
      flags.flatMap((erased) =>
        statuses.flatMap((status) =>
          pauses.flatMap((pause) =>
            ends.map((end) => ({
              verified,
              username,
              suspended,
              lifted: null,
              erased,
              status,
              pause,
              ends: end,
              grace: 60,
            })),
          ),
        ),
      ),
    ),
  ),
)

/** Never within the minute in which the test runs. */
const anyMinute = fc.integer({ min: -20_000, max: 20_000 }).filter((minutes) => Math.abs(minutes) > 1)

const anyRow: fc.Arbitrary<Row> = fc.record({
  verified: fc.boolean(),
  username: fc.boolean(),
  suspended: fc.boolean(),
  lifted: fc.option(anyMinute),
  erased: fc.boolean(),
  status: fc.constantFrom(...statuses),
  grace: anyMinute,
  ends: fc.option(anyMinute),
  pause: fc.option(
    fc
      .record({
        from: fc.integer({ min: -20_000, max: 20_000 }),
        length: fc.integer({ min: 1, max: 43_200 }),
      })
      // Never within the minute in which the test runs.
      .filter(({ from, length }) => Math.abs(from) > 1 && Math.abs(from + length) > 1)
      .map(({ from, length }) => ({ from, until: from + length })),
  ),
})

type Read = StandingFacts & { standing: string; takesPart: boolean }

/** The standings of members with these rows, from the database. The rows are rolled back. */
async function readBack(rows: Row[]): Promise<Read[]> {
  const { db } = club.system
  const people = rows.map((row) => ({ ...row, ...row.pause, id: newId() }))
  await sql`savepoint people`.execute(db)
  try {
    // The table keeps an erased member's name empty. The rule must not depend on that.
    await sql`alter table members drop constraint members_erased`.execute(db)
    await sql`
      with p as (select * from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as t(id uuid, verified boolean, username boolean, suspended boolean, lifted int))
      insert into members (id, email, email_verified, username, suspended_at, suspended_until)
      select id, id || '@evenhand.example', verified, case when username then 'u' || right(id::text, 12) end,
        case when suspended then clock_timestamp() - interval '20 days' end,
        case when suspended then clock_timestamp() + lifted * interval '1 minute' end from p`.execute(db)
    await sql`
      with p as (select * from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as t(id uuid, status text, grace int, ends int, "from" int, until int))
      insert into memberships (member_id, status, source, current_period_end, grace_until, ends_at,
        paused_from, paused_until)
      select id, status, 'demo', clock_timestamp() + interval '9 days',
        case when status = 'past_due' then clock_timestamp() + grace * interval '1 minute' end,
        clock_timestamp() + ends * interval '1 minute',
        clock_timestamp() + "from" * interval '1 minute',
        clock_timestamp() + until * interval '1 minute' - interval '1 second' from p
          where status is not null`.execute(db)
    const erased = people.filter((person) => person.erased).map(({ id }) => id)
    await sql`update members set erased_at = clock_timestamp() where id = any(${erased}::uuid[])`.execute(db)
    const ids = people.map(({ id }) => id)
    const read = await sql<Read>`
      select ${standingFacts}, t.standing, ${takesPart('m.id')} as takes_part
      from members m join standings t on t.member_id = m.id
      where m.id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], m.id)`.execute(db)
    return read.rows
  } finally {
    await sql`rollback to savepoint people`.execute(db)
  }
}

/** The facts that these rows state. */
function factsOf(row: Row) {
  return {
    erased: row.erased,
    emailVerified: row.verified,
    username: row.username ? expect.any(String) : null,
    suspended: row.suspended && (row.lifted === null || row.lifted > 0),
    membershipActive:
      (row.status === 'active' || (row.status === 'past_due' && row.grace > 0)) &&
      (row.ends === null || row.ends > 0),
    paused: row.status !== null && row.pause !== null && row.pause.from < 0 && row.pause.until > 0,
  }
}

function standingOf(facts: StandingFacts) {
  const may = canTakePart(facts)
  if (may === true) return 'in'
  return may === 'MEMBERSHIP_PAUSED' ? 'paused' : 'out'
}

async function expectAgreement(rows: Row[]) {
  const read = await readBack(rows)
  expect(read).toHaveLength(rows.length)
  for (const [place, { standing, takesPart: asked, ...facts }] of read.entries()) {
    const row = rows[place]
    expect(facts).toEqual(row && factsOf(row))
    expect({ ...facts, standing }).toEqual({ ...facts, standing: standingOf(facts) })
    expect(asked).toBe(canTakePart(facts) === true)
  }
}

describe('who takes part', () => {
  test('is the same for the database and for the predicate, in every combination of facts', async () => {
    expect(everyRow).toHaveLength(1344)
    await expectAgreement(everyRow)
  })

  test('is the same for both at whatever time a pause begins and ends, and a suspension ends', async () => {
    await fc.assert(fc.asyncProperty(fc.array(anyRow, { minLength: 30, maxLength: 60 }), expectAgreement), {
      numRuns: 25,
    })
  })

  test.each([
    ['ACCOUNT_ERASED', {}],
    ['EMAIL_UNVERIFIED', { erased: false }],
    ['USERNAME_MISSING', { erased: false, emailVerified: true }],
    ['SUSPENDED', { erased: false, emailVerified: true, username: 'anna' }],
    ['MEMBERSHIP_INACTIVE', { erased: false, emailVerified: true, username: 'anna', suspended: false }],
  ])('is refused with %s before all later reasons', (code, facts) => {
    const nothing: StandingFacts = {
      erased: true,
      emailVerified: false,
      username: null,
      suspended: true,
      membershipActive: false,
      paused: true,
    }
    expect(canTakePart({ ...nothing, ...facts })).toBe(code)
  })

  test.each([
    ['none', false, sql`status = 'none'`],
    ['active', true, sql`status = 'active'`],
    ['past_due', true, sql`status = 'past_due', grace_until = clock_timestamp() + interval '1 minute'`],
    ['past_due', false, sql`status = 'past_due', grace_until = clock_timestamp() - interval '1 minute'`],
    ['cancelled', true, sql`ends_at = clock_timestamp() + interval '1 minute'`],
    ['ended', false, sql`ends_at = clock_timestamp() - interval '1 minute'`],
    ['ended', false, sql`status = 'past_due', ends_at = '2026-01-01', grace_until = '2100-01-01'`],
    [
      'paused',
      true,
      sql`paused_from = clock_timestamp() - interval '1 day', ends_at = '2100-01-01',
      paused_until = clock_timestamp() + interval '1 day'`,
    ],
    ['refunded', false, sql`status = 'refunded'`],
    ['disputed', false, sql`status = 'disputed', ends_at = '2026-01-01'`],
    ['ended', false, sql`status = 'ended'`],
  ])('has a membership that is %s: active is %s', async (state, active, change) => {
    const { id } = (await club.as('anna')).who
    await sql`update memberships set ${change} where member_id = ${id}`.execute(club.system.db)
    await refreshStanding(club.system, id)
    const { rows } = await sql`select membership_state as state, membership_active as active
      from standings where member_id = ${id}`.execute(club.system.db)
    expect(rows).toEqual([{ state, active }])
  })

  test('is a member of the cast, except elif, who is paused', async () => {
    const { rows } = await sql<{ username: string; takesPart: boolean }>`
      select m.username, ${takesPart('m.id')} as takes_part from members m
      where m.username in ('anna', 'elif') order by m.username`.execute(club.system.db)
    expect(rows).toEqual([
      { username: 'anna', takesPart: true },
      { username: 'elif', takesPart: false },
    ])
  })
})
