import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/** Moves all requests with a round back by so many rounds of three seconds, as if that time had passed. */
export async function letRoundsPass({ db }: Ctx, rounds: number) {
  await sql`update review_queue set created_at = created_at - ${rounds} * interval '3 seconds',
    prio_at = prio_at - ${rounds} * interval '3 seconds',
    beacon_from = beacon_from - ${rounds} * interval '3 seconds', beacon_round = beacon_round - ${rounds}::int
    where beacon_round is not null`.execute(db)
}
