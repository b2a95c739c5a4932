// A day of draws that is over, so that anyone can check a draw of the demo at once: its hash was published
// before it, its draws have receipts, and its secret was published the night after. The product's own
// functions do all of it, at moments of the past.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { DB } from '#db/types.ts'
import { revealHours } from '#contract/matching-rules.ts'
import type { Config } from '#server/kit/config.ts'
import { actAs } from '#server/kit/ctx.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { openLog } from '#server/kit/log.ts'
import { publishDays } from '#server/matching/audit/public-list.ts'
import { phases } from '#server/matching/candidates.ts'
import { refreshFigures } from '#server/matching/figures.ts'
import { takeTicket } from '#server/matching/lottery.ts'
import { runPass } from '#server/matching/pass.ts'
import { cancelRequest, requestReview } from '#server/matching/requests.ts'
import { bePresent } from '#server/matching/signals.ts'
import { refreshTiers } from '#server/matching/tiers.ts'

const hour = 3_600_000
const day = 24 * hour

/**
 * When its members ask and withdraw, in milliseconds after its start: early, as who withdraws cannot ask for
 * a day.
 */
export const drawnDayTimes = { asked: hour, withdrawn: hour + 600_000 }

/** The last day before `now` whose secret is due, as YYYY-MM-DD. */
export function drawnDayAt(now: number): string {
  return dayOf(now - revealHours * hour - day)
}

type Taking = { memberId: string; productId: string }

/**
 * Plays the day in a club that has no other request yet. Each of these members asks for a review and is
 * present, so each is drawn for another one’s request; then each withdraws what they asked for.
 */
export async function playDrawnDay(db: Kysely<DB>, config: Config, now: number, taking: Taking[]) {
  const ctx = contextOf(db, config)
  const start = Date.parse(drawnDayAt(now))
  await withMovedClock(db, async (at) => {
    await at(start - 12 * hour)
    await publishDays(ctx)
    await at(start + drawnDayTimes.asked)
    const members = taking.map(({ memberId }) => member(ctx, memberId))
    for (const me of members) await bePresent(me)
    const { rows: all } = await sql<{ id: string }>`select member_id as id from reviewer_states`.execute(db)
    await refreshTiers(
      ctx,
      all.map(({ id }) => id),
    )
    await refreshFigures(ctx)
    const asked = new Map<MemberCtx, string>()
    for (const [place, me] of members.entries()) asked.set(me, await ask(me, taking[place]?.productId ?? ''))
    await at(start + drawnDayTimes.asked + 20_000)
    await runPass(ctx, { phase: phases.present, batch: taking.length })
    await at(start + drawnDayTimes.withdrawn)
    for (const [me, id] of asked) await cancelRequest(me, id)
    await refreshTiers(
      ctx,
      taking.map(({ memberId }) => memberId),
    )
    // No one is to be notified of offers that ended long ago.
    await sql`delete from offer_notices_due`.execute(db)
    for (let night = start + revealHours * hour + 60_000; night < now; night += day) {
      await at(night)
      await publishDays(ctx)
    }
  })
  await publishDays(ctx)
}

async function ask(me: MemberCtx, productId: string): Promise<string> {
  const { ticket } = await takeTicket(me, productId)
  const { id } = await requestReview(me, { productId, ticket, nonce: randomBytes(16).toString('hex') })
  return id
}

function contextOf(db: Kysely<DB>, config: Config): Ctx {
  const jobs = { send: () => Promise.resolve(), stop: () => Promise.resolve() }
  // The parts that these functions use. The worker begins after the seed, and then does what is due.
  const kit = { db, jobs, reactions: [] } as unknown as Ctx['kit']
  const tx = { savepoints: 0, afterCommit: [], afterRollback: [] }
  return { db, tx, config, kit, log: openLog('seed', 'silent'), who: { role: 'system', id: null } }
}

function member(ctx: Ctx, id: string): MemberCtx {
  return actAs(ctx, { id, role: 'user', sessionId: null, twoFactor: false })
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

const clocked = [
  ['review_queue', 'created_at'],
  ['offers', 'offered_at'],
  ['activity_logs', 'created_at'],
  ['activity_items', 'created_at'],
  ['events', 'at'],
] as const

/**
 * Runs `work` with a clock that it moves. Functions are looked up in `demo_clock` first, until the schema is
 * dropped; the defaults of columns name their function, so those of a few tables are replaced meanwhile.
 */
async function withMovedClock(db: Kysely<DB>, work: (at: (time: number) => Promise<void>) => Promise<void>) {
  await sql`create schema demo_clock`.execute(db)
  await sql`create function demo_clock.clock_timestamp() returns timestamptz stable language plpgsql as
    $$ begin return current_setting('evenhand.now')::timestamptz; end $$`.execute(db)
  await setDefaults(db, 'demo_clock')
  await sql`set local search_path = demo_clock, public, pg_catalog`.execute(db)
  await work(async (time) => {
    await sql`select set_config('evenhand.now', ${new Date(time).toISOString()}, true)`.execute(db)
  })
  await sql`set local search_path to default`.execute(db)
  // No table with a deferred check to be made can be altered.
  await sql`set constraints all immediate`.execute(db)
  await setDefaults(db, 'pg_catalog')
  await sql`set constraints all deferred`.execute(db)
  await sql`drop schema demo_clock cascade`.execute(db)
}

async function setDefaults(db: Kysely<DB>, schema: string) {
  for (const [table, column] of clocked)
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)}
      set default ${sql.ref(`${schema}.clock_timestamp`)}()`.execute(db)
}
