import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '#server/kit/db/db.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { phases } from '../candidates.ts'
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
