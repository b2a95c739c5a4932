import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction, openDatabase } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { phases } from '../candidates.ts'
import { runPass } from '../pass.ts'
import { askForReview, newMembers, present, productOf } from '../testing.ts'
import { takeCandidates } from './statements.ts'

const club = useFreshClub()

test('a pass locks the members that it takes, and none of the others who are here', async () => {
  const { db } = club.system
  await sql`
    with crowd as (
      insert into members (id, email, email_verified, username, display_name)
      select gen_random_uuid(), 'crowd-' || n || '@evenhand.example', true, 'crowd-' || n, 'Crowd ' || n
      from generate_series(1, 2000) n returning id
    ), paid as (
      insert into memberships (member_id, status, source, current_period_end, started_at)
      select id, 'active', 'demo', clock_timestamp() + interval '30 days', clock_timestamp() from crowd
    )
    insert into reviewer_states (member_id, standing, here_until, last_seen_at, turn_at, audit_key, tier)
    select id, 'in', clock_timestamp() + interval '2 hours', clock_timestamp(),
      clock_timestamp() - random() * interval '30 days', sha256(id::text::bytea),
      case when row_number() over () <= 500 then 0 else 1 end
    from crowd`.execute(db)
  await sql`analyze members, memberships, reviewer_states`.execute(db)

  await inTransaction(club.system, async (ctx) => {
    const taken = await takeCandidates(ctx, { phase: phases.present, band: 5, size: 100, busy: [] })
    expect(taken).toHaveLength(100)
    const { rows: free } = await sql<{ id: string }>`select id from members
      where username like 'crowd-%' for no key update skip locked`.execute(db)
    expect(free).toHaveLength(1900)
  })
})

test('a connection plans the statements of a pass for all values after five runs', async () => {
  const seller = await club.as('anna')
  await askForReview(seller, await productOf(seller))
  await present(...(await newMembers(club, 3)))
  const own = openDatabase(club.connection, { name: 'test', log: openLog('test', 'silent'), max: 1 })
  try {
    for (let run = 0; run < 8; run += 1) {
      await undone({ ...club.system, db: own.db }, async (ctx) =>
        expect(await runPass(ctx, { phase: phases.present, batch: 1 })).toMatchObject({ matched: 1 }),
      )
    }
    const { rows } = await sql<{ plannedForAll: boolean; statement: string }>`
      select generic_plans > 0 and custom_plans <= 5 as planned_for_all, left(statement, 60) as statement
      from pg_prepared_statements where generic_plans + custom_plans >= 8`.execute(own.db)
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.filter(({ plannedForAll }) => !plannedForAll)).toEqual([])
  } finally {
    await own.close()
  }
})
