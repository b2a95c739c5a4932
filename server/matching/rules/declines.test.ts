// What a decline costs: the cooldown of the day, over any history.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { declineReasons, isHonestReason } from '#contract/matching-rules.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import { newId } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { respondToOffer } from '../offers.ts'
import { matchRequests } from '../pass.ts'
import { askForReview, offeredTo, present } from '../testing.ts'
import { setScene, writeOffer } from './testing.ts'
import { undone } from '#server/testing/undone.ts'

const club = useClub()
const ladder = [0, 30, 120, 360]

test('counted declines of a UTC day cost 0, 30, 120, then 360 minutes; two stating facts, none', async () => {
  const scene = await setScene(club)
  const { member } = scene
  await askForReview(scene.seller, scene.product)
  await present(member)
  await matchRequests(club.system)
  const queueId = (await offeredTo(member))?.id ?? ''
  const reasons = fc.constantFrom(null, ...(Object.keys(declineReasons) as DeclineReason[]))
  const earlier = fc.record({
    // Seconds before now, or around the midnight that began this UTC day.
    moment: fc.oneof(
      fc.record({ from: fc.constant('now' as const), seconds: fc.constantFrom(0, 60, 30 * 3600) }),
      fc.record({ from: fc.constant('midnight' as const), seconds: fc.constantFrom(0, 1) }),
    ),
    counted: fc.boolean(),
  })
  const history = fc.record({ before: fc.array(earlier, { maxLength: 6 }), reason: reasons })
  const property = fc.asyncProperty(history, ({ before, reason }) =>
    undone(club.system, async (ctx) => {
      for (const { moment, counted } of before) {
        const base =
          moment.from === 'now' ? sql`clock_timestamp()` : sql`date_trunc('day', clock_timestamp(), 'UTC')`
        const offerId = await writeOffer(ctx, scene, { of: scene.former.elsewhere, state: 'declined' })
        await sql`insert into decline_history (id, reviewer_id, offer_id, counted,
            cooldown_applied_minutes, created_at)
          values (${newId()}, ${member.who.id}, ${offerId}, ${counted}, 0,
            ${base} - make_interval(secs => ${moment.seconds}))`.execute(ctx.db)
      }
      const { rows } = await sql<{ counted: number; free: number }>`
        select count(*) filter (where counted)::int as counted,
          count(*) filter (where not counted)::int as free
        from decline_history where (created_at at time zone 'UTC')::date
          = (clock_timestamp() at time zone 'UTC')::date`.execute(ctx.db)
      const { counted, free } = rows[0] ?? { counted: 0, free: 0 }
      const isFree = isHonestReason(reason) && free < 2
      const minutes = isFree ? 0 : (ladder[counted] ?? 360)

      await respondToOffer(member, { queueId, accept: false, ...(reason ? { reason } : {}) })
      const state = await sql`select d.counted, d.cooldown_applied_minutes as minutes, s.tier,
          round(extract(epoch from s.cooldown_until - clock_timestamp()) / 60)::int as cooldown,
          round(extract(epoch from nullif(s.available_at, '-infinity') - clock_timestamp()) / 60)::int as away
        from decline_history d join offers o on o.id = d.offer_id
          join reviewer_states s on s.member_id = d.reviewer_id
        where o.queue_id = ${queueId}`.execute(ctx.db)
      const wait = minutes > 0 ? minutes : null
      expect(state.rows).toEqual([
        { counted: !isFree, minutes, tier: wait ? 9 : 0, cooldown: wait, away: wait },
      ])
    }),
  )
  await fc.assert(property, { numRuns: 30 })
})
