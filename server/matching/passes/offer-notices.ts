// The notices, activity, push messages and mails of the offers of a pass. The pass commits without them, so
// that its offers reach the open screens sooner; they follow at once, by the same run of the draw.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { notifyOffersMade } from '../notices.ts'
import type { MadeOffer } from '../notices.ts'

/** Members who answer wait for this many at most. */
const batch = 50

/**
 * Writes what is due, each once, by however many workers and whenever one of them dies: a batch is written
 * and struck off in one transaction. An offer whose row is held by its answer is left for the next run.
 */
export async function writeOfferNotices(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{
    passId: string
  }>`select pass_id from offer_notices_due order by pass_id`.execute(ctx.db)
  await eachByItself(ctx, rows, failing, async ({ passId }) => {
    while (await writeSome(ctx, passId));
  })
}

const failing = {
  failure: 'the notices of a pass could not be written',
  about: ({ passId }: { passId: string }) => ({ pass: passId }),
}

/** Whether something was written and more is due. */
function writeSome(ctx: Ctx, passId: string): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const { rows: due } = await sql<{ offerIds: string[] }>`
      select offer_ids::text[] as offer_ids from offer_notices_due where pass_id = ${passId}
      for update skip locked`.execute(ctx.db)
    if (!due[0]) return false
    const { rows: offers } = await sql<MadeOffer>`
      select o.id as offer_id, o.reviewer_id, o.expires_at,
        round(extract(epoch from o.expires_at - o.offered_at) / 60)::int as minutes,
        o.state = 'open' as open, m.locale, m.time_zone
      from offers o join members m on m.id = o.reviewer_id
      where o.id = any(${due[0].offerIds}::uuid[]) order by o.id limit ${batch}
      for share of o skip locked`.execute(ctx.db)
    await notifyOffersMade(ctx, offers)
    const done = offers.map(({ offerId }) => offerId)
    const { rows: left } = await sql`
      with left_over as (
        select array_agg(d.id) as ids from unnest(${due[0].offerIds}::uuid[]) d(id)
        where d.id <> all(${done}::uuid[]) and exists (select from offers o where o.id = d.id)
      ), gone as (
        delete from offer_notices_due using left_over where pass_id = ${passId} and ids is null
      )
      update offer_notices_due set offer_ids = ids from left_over where pass_id = ${passId}
        and ids is not null returning pass_id`.execute(ctx.db)
    return offers.length > 0 && left.length > 0
  })
}
