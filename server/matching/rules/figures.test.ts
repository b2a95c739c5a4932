// The pair window of the hour, measured in a club of any size and pace.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pairWindowDays, reverseWindowDays } from '#contract/matching-rules.ts'
import { useClub } from '#server/testing/club.ts'
import { refreshFigures } from '../figures.ts'
import { readPairWindow } from '../pairs.ts'
import { setScene, writeCompleted } from './testing.ts'
import { undone } from '#server/testing/undone.ts'

const club = useClub()

test('both windows follow the members who take part and the reviews of the last four weeks', async () => {
  const scene = await setScene(club)
  const history = fc.record({
    size: fc.constantFrom(8, 29, 30, 31, 60),
    paused: fc.integer({ min: 0, max: 3 }),
    // Reviews by day; in four weeks a club of ordinary pace completes four for each member.
    completed: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom(1, 27, 29)), {
      maxLength: 3,
    }),
  })
  const property = fc.asyncProperty(history, ({ size, paused, completed }) =>
    undone(club.system, async (ctx) => {
      await sql`update memberships set status = 'ended'`.execute(ctx.db)
      await sql`with joined as (
          insert into members (id, email, email_verified, username)
          select gen_random_uuid(), n || '@joined.example', true, 'joined-' || n
          from generate_series(1, ${size}) n
          returning id, username
        )
        insert into memberships (member_id, status, source, current_period_end, paused_from, paused_until)
        select id, 'active', 'demo', clock_timestamp() + interval '1 day', p.at, p.at + interval '2 days'
        from joined left join (select clock_timestamp() - interval '1 day' as at) p
          on substring(username from 8)::int <= ${paused}`.execute(ctx.db)
      for (const [count, days] of completed) await writeCompleted(ctx, scene, count, days)
      await refreshFigures(ctx)
      const members = size - paused
      const given = completed.reduce((sum, [count, days]) => sum + (days < 28 ? count : 0), 0)
      const same = pairWindowDays(members, given / members / 4)
      expect(await readPairWindow(ctx)).toEqual({ same, reverse: reverseWindowDays(members, same) })
    }),
  )
  await fc.assert(property, {
    numRuns: 14,
    examples: [
      [
        {
          size: 60,
          paused: 0,
          completed: [
            [400, 1],
            [400, 29],
          ],
        },
      ],
    ],
  })
})
