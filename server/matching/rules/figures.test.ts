// The pair window of the hour, measured in a club of any size and pace.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pairWindowDays, reverseWindowDays } from '#contract/matching.ts'
import { useClub } from '#server/testing/club.ts'
import { refreshFigures } from '../figures.ts'
import { readPairWindow } from '../pairs.ts'
import { setScene, undone, writeCompleted } from './testing.ts'

const club = useClub()

test('both windows follow the members who take part and the reviews of the last four weeks', async () => {
  const scene = await setScene(club)
  const history = fc.record({
    size: fc.constantFrom(8, 29, 30, 31, 60),
    paused: fc.integer({ min: 0, max: 3 }),
    daysAgo: fc.array(fc.constantFrom(1, 27, 29), { maxLength: 12 }),
  })
  const property = fc.asyncProperty(history, ({ size, paused, daysAgo }) =>
    undone(club.system, async (ctx) => {
      await sql`update memberships set status = 'ended'`.execute(ctx.db)
      await sql`with joined as (
          insert into members (id, email, email_verified, username)
          select gen_random_uuid(), n || '@joined.example', true, 'joined-' || n from generate_series(1, ${size}) n
          returning id, username
        )
        insert into memberships (member_id, status, source, current_period_end, paused_from, paused_until)
        select id, 'active', 'demo', clock_timestamp() + interval '1 day', p.at, p.at + interval '2 days'
        from joined left join (select clock_timestamp() - interval '1 day' as at) p
          on substring(username from 8)::int <= ${paused}`.execute(ctx.db)
      for (const days of daysAgo) await writeCompleted(ctx, scene, days)
      await refreshFigures(ctx)
      const members = size - paused
      const given = daysAgo.filter((days) => days < 28).length
      const same = pairWindowDays(members, given / members / 4)
      expect(await readPairWindow(ctx)).toEqual({ same, reverse: reverseWindowDays(members, same) })
    }),
  )
  await fc.assert(property, { numRuns: 12 })
})
