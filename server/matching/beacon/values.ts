// Fetches the values that tickets wait for, and makes their lottery keys again. A value counts only while the
// ticket waits, so it never comes into a lottery that was held without it.
import { sql } from 'kysely'
import { roundTime } from '#contract/beacon.ts'
import { lotteryKey } from '#contract/draw.ts'
import { beaconSeconds } from '#contract/matching-rules.ts'
import { fetchRound } from '#server/kit/beacon.ts'
import type { BeaconRound } from '#server/kit/beacon.ts'
import type { BeaconConfig } from '#server/kit/config.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { databaseNow, inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { awaitsBeacon } from './expected.ts'

const retryMs = 2000

/** `sellers`: who asked with the ticket; several when a listing moved. */
type Waiting = { ticket: string; round: number; sellers: string[] }

/**
 * Fetches the values of the rounds that tickets wait for and that are published, then has the requests drawn.
 * Tries again later while one is missing; running it again, or twice at once, changes nothing.
 */
export async function fetchBeacon(ctx: Ctx): Promise<void> {
  const { beacon } = ctx.config
  if (!beacon) return
  const now = Date.parse(await databaseNow(ctx))
  const waiting = (await readWaiting(ctx, beacon)).filter(
    ({ round }) => roundTime(beacon.chain, round) <= now,
  )
  const values = await fetchValues(ctx, beacon, new Set(waiting.map(({ round }) => round)))
  const isMissing = waiting.some(({ round }) => !values.has(round))
  try {
    await eachByItself(ctx, waiting, failing, async (ticket) => {
      const value = values.get(ticket.round)
      if (value) await mixIn(ctx, ticket, value)
    })
  } finally {
    // The last try finds no one waiting anymore, and has the draw go on without a value.
    if (isMissing) await ctx.kit.jobs.send(ctx, 'fetch-beacon', {}, { notBefore: new Date(now + retryMs) })
    if (!isMissing || values.size > 0) await ctx.kit.jobs.send(ctx, 'match-requests')
  }
}

const failing = {
  failure: 'a value of the beacon could not be mixed into a ticket',
  about: ({ ticket }: Waiting) => ({ ticket }),
}

async function readWaiting(ctx: Ctx, { chain }: BeaconConfig): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select q.lottery_ticket::text as ticket, q.beacon_round::float8 as round,
      array_agg(distinct q.seller_id) as sellers
    from review_queue q where ${awaitsBeacon} and q.beacon_chain = ${Buffer.from(chain.hash, 'hex')}
    group by q.lottery_ticket, q.beacon_round order by q.lottery_ticket`.execute(ctx.db)
  return rows
}

async function fetchValues(ctx: Ctx, beacon: BeaconConfig, rounds: Set<number>) {
  const values = new Map<number, BeaconRound>()
  if (rounds.size === 0) return values
  const latest = await fetchRound(beacon, 'latest', ctx)
  if (!latest || !(await isClockRight(ctx, beacon, latest))) return values
  for (const round of rounds) {
    const value = round === latest.round ? latest : await fetchRound(beacon, round, ctx)
    if (value) values.set(round, value)
  }
  return values
}

/**
 * Whether the database's clock may be trusted. If it is late, rounds that it takes for future ones were
 * published before, and a seller could have known them.
 */
async function isClockRight(ctx: Ctx, { chain }: BeaconConfig, latest: BeaconRound): Promise<boolean> {
  const lateMs = roundTime(chain, latest.round) - Date.parse(await databaseNow(ctx))
  if (lateMs <= (beaconSeconds.lead * 1000) / 2) return true
  ctx.log.error({ lateMs }, 'the clock of the database is behind the beacon: its values are not used')
  return false
}

async function mixIn(ctx: Ctx, { ticket, sellers }: Waiting, value: BeaconRound) {
  await inTransaction(ctx, async (ctx) => {
    // No request repeats the ticket meanwhile, and no pass holds one: all of them get the same key or none.
    await lockMembers(ctx, sellers)
    const { rows } = await sql<{ id: string; secret: Buffer; nonce: Buffer }>`
      select q.id, d.secret, q.lottery_nonce as nonce
      from review_queue q join lottery_days d on d.day = q.lottery_day
      where q.lottery_ticket = ${ticket} and q.beacon_round = ${value.round} and q.beacon_signature is null
      order by q.id for no key update of q`.execute(ctx.db)
    const first = rows[0]
    if (!first) return
    const key = lotteryKey(first.secret, BigInt(ticket), first.nonce, value)
    await sql`update review_queue set beacon_signature = ${value.signature}, lottery_key = ${Buffer.from(key)}
      where id = any(${rows.map(({ id }) => id)}::uuid[])
        and beacon_from > clock_timestamp() - make_interval(secs => ${beaconSeconds.wait})`.execute(ctx.db)
  })
}
