// The statements of a pass. They run all the time, so every connection prepares them once. What chooses
// their plans (tier, hours, limits) is written into the text: as a parameter, the tier would lose its index.
import { sql } from 'kysely'
import { offerMinutes } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { expectedRows, mostly, runPrepared } from '#server/kit/db/prepared.ts'
import { isTakingPart, takesPart } from '#server/membership/standings.ts'
import { awaitsBeacon } from '../beacon/expected.ts'
import type { BeaconColumns } from '../beacon/expected.ts'
import { ageColumns, askedAt, candidateColumns, hoursBefore, phases, waitingSince } from '../candidates.ts'
import type { Candidate, Phase } from '../candidates.ts'
import type { SkippedPlace, SlateRule } from '#contract/draw.ts'
import { barredSince, windowStartNow } from '../pairs.ts'
import { isQuiet } from '../tiers.ts'

const chains = 16

/** A request's place in the queue. */
export type Place = { prioAt: string; id: string }

export type QueuedRequest = Place & {
  sellerId: string
  listingId: string
  askedAt: string
  waitedHours: number
  lotteryKey: Buffer
  lotteryCommit: Buffer
  lotteryNonce: Buffer
} & BeaconColumns

/** `at`: the time of the pass. `chain`: the number of the chain that it holds; null when all are held. */
type Taken = QueuedRequest & { at: string; chain: number | null }

/**
 * In SQL: whether the request `q` is due in a phase: it has waited long enough, it waits neither for a moment
 * (limits/resuming.ts) nor for a value of the beacon. `prio_at` is never later than its wait begins and has
 * the index.
 */
export function isDue(phase: Phase) {
  // Read once, so that the index on `prio_at` finds the end of those that are due.
  const latest = sql`(select clock_timestamp() - make_interval(hours => ${sql.lit(hoursBefore(phase))}))`
  return sql<boolean>`(q.prio_at <= ${latest} and ${waitingSince} <= ${latest}
    and q.waits_until <= clock_timestamp() and not ${awaitsBeacon})`
}

/**
 * Takes the first waiting requests that no other worker holds, for products on open marketplaces, and a chain
 * of passes. None of the marketplaces closes until the pass ends, so it is before a closing, which then finds
 * its offers, or after it. The evidence hashes milliseconds, so the time has no more.
 */
export function takeRequests(
  ctx: Ctx,
  { phase, batch, behind }: { phase: Phase; batch: number; behind: Place | null },
): Promise<Taken[]> {
  const further = behind
    ? sql`and (q.prio_at, q.id) > (${behind.prioAt}::timestamptz, ${behind.id}::uuid)`
    : sql``
  return runPrepared(
    ctx.db,
    sql<Taken>`
    with open as materialized (
      select id from marketplaces where lane <> 'closed' order by id for share
    )
    select q.id, q.seller_id, q.listing_id, ${askedAt} as asked_at, q.prio_at, q.lottery_key,
      q.lottery_commit, q.lottery_nonce, q.beacon_from, q.beacon_round, q.beacon_signature,
      ${ageColumns}, (select date_trunc('milliseconds', clock_timestamp())) as at,
      (select n from generate_series(0, ${sql.lit(chains - 1)}) n
        where pg_try_advisory_xact_lock(${chainLock(sql`n`)}) limit 1) as chain
    from review_queue q join products p on p.id = q.product_id
    where q.status = 'queued' and p.marketplace_id = any(array(select id from open)) and ${isDue(phase)}
      ${further}
    order by q.prio_at, q.id limit ${sql.lit(batch)}
    for no key update of q skip locked`,
  )
}

/** Waits for the last chain, where all are held. */
export async function waitForChain(ctx: Ctx): Promise<number> {
  const last = chains - 1
  await sql`select pg_advisory_xact_lock(${chainLock(sql.lit(last))})`.execute(ctx.db)
  return last
}

function chainLock(number: ReturnType<typeof sql>) {
  return sql`hashtextextended('match-pass:chain-' || ${number}, 0)`
}

type CandidatesWanted = { phase: Phase; band: number; size: number; busy: readonly string[] }

/**
 * Takes the next members of the rotation that no other worker holds. It locks their rows in `members`, which
 * answers and heart-beats never change, so none of those waits for a pass. What changes meanwhile in their
 * states is found when the offers are written.
 */
export function takeCandidates(ctx: Ctx, { phase, band, size, busy }: CandidatesWanted) {
  const here = phase === phases.present ? sql`and s.here_until > clock_timestamp()` : sql``
  const others = busy.length > 0 ? sql`and s.member_id <> all(${`{${busy.join(',')}}`}::uuid[])` : sql``
  return runPrepared(
    ctx.db,
    sql<Candidate>`
    select ${candidateColumns} from reviewer_states s cross join lateral (
      -- Looked up one by one and in the order of the index. Joined, the planner would at times read all
      -- members of a club of 100,000; sorted, it would lock all who are here before it takes the first.
      select m.id from members m where m.id = s.member_id for no key update skip locked
    ) m
    where s.tier = ${sql.lit(phase)} and s.band <= ${sql.lit(band)} and ${mostly(sql`s.available_at
      <= clock_timestamp() ${here} and not ${isQuiet} and ${takesPart('s.member_id')} ${others}`)}
    order by s.tier, s.band, s.turn_at, s.member_id limit ${sql.lit(size)}`,
  )
}

export type NewOffer = {
  id: string
  queue: string
  seller: string
  reviewer: string
  pass: string | null
  slot: number
  skipped: readonly SkippedPlace[]
}

/** `made`: whether the offer was written. `free`: whether its member could still be asked. */
type WrittenOffer = { queueId: string; reviewerId: string; made: boolean; free: boolean }
type Head = { passNo: number | null; hash: Buffer | null }

/**
 * Writes offers in one statement: first the members who can still be asked and whose rows are free, then the
 * pair's row, since an offer requires it, then the offer with the product as it is now, the request and the
 * member. Pairs that another worker holds get no offer. Also returns the head of the chain.
 */
export function insertOffers(ctx: Ctx, phase: Phase, offers: NewOffer[], chain = 0) {
  const isLive = phase === phases.present
  const minutes = isLive
    ? sql`coalesce((select live_offer_minutes from rotation_figures), ${sql.lit(offerMinutes.present)})`
    : sql.lit(offerMinutes.absent)
  const barred = barredSince(sql`u.last_reviewer_id`, sql`excluded.last_reviewer_id`, windowStartNow)
  return runPrepared(
    ctx.db,
    sql<WrittenOffer & Head>`
    with e as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(offers)}::jsonb)
        as t(id uuid, queue uuid, seller uuid, reviewer uuid, pass uuid, slot int, skipped jsonb)
      limit ${expectedRows(offers)}
    ), free as materialized (
      select s.member_id from reviewer_states s where s.member_id in (select reviewer from e)
        and s.tier < 9 and ${isTakingPart('s.standing')} and s.open_offer_id is null
      for no key update skip locked
    ), won as (
      -- A new row names its reviewer, so that a conflict shows the direction.
      insert into pair_uses as u (lo, hi, held, last_reviewer_id)
      select least(seller, reviewer), greatest(seller, reviewer), true, reviewer
      from e join free on free.member_id = e.reviewer order by 1, 2
      on conflict (lo, hi) do update set held = true where not u.held and (u.last_at is null
        or u.last_at <= ${barred})
      returning lo, hi
    ), ok as materialized (
      select e.* from e join won on won.lo = least(e.seller, e.reviewer) and won.hi = greatest(e.seller,
        e.reviewer)
    ), made as (
      insert into offers (id, queue_id, reviewer_id, seller_id, state, live, offered_at, expires_at, pass_id,
        slot, skipped, snapshot)
      select ok.id, queue, reviewer, seller, 'open', ${sql.lit(isLive)}, clock_timestamp(),
        clock_timestamp() + make_interval(mins => ${minutes}), pass, slot, skipped,
        product_snapshot(p)
      from ok join review_queue q on q.id = ok.queue join products p on p.id = q.product_id
      returning id, queue_id, reviewer_id, offered_at, expires_at
    ), moved as (
      update review_queue q set status = 'offered', offered_to = m.reviewer_id, offered_at = m.offered_at,
        offer_expires_at = m.expires_at, attempts = q.attempts + 1
      from made m where q.id = m.queue_id returning q.id
    ), taken as (
      update reviewer_states s set open_offer_id = m.id, tier = 9, turn_at = m.offered_at
      from made m where s.member_id = m.reviewer_id returning s.member_id
    )
    select e.queue as queue_id, e.reviewer as reviewer_id, free.member_id is not null as free,
      moved.id is not null and taken.member_id is not null as made, h.pass_no, h.hash
    from e left join free on free.member_id = e.reviewer left join moved on moved.id = e.queue
      left join taken on taken.member_id = e.reviewer
      left join (select pass_no, hash from match_passes where chain = 'chain-' || ${chain}::int
        order by pass_no desc limit 1) h on true`,
  )
}

/** What a pass records of itself, and the offers whose notices are still to be written. */
type PassRow = {
  id: string
  chain: string
  passNo: number
  at: Date
  phase: Phase
  requests: number
  candidates: number
  matched: number
  cut: { band: number; turn: Date } | null
  slate: SlateRule
  list: Buffer
  previousHash: Buffer | null
  hash: Buffer
  offerIds: string[]
}

/** Writes the evidence of a pass, and which notices it leaves to be written. */
export async function insertPass(ctx: Ctx, pass: PassRow): Promise<void> {
  await runPrepared(
    ctx.db,
    sql`
    with due as (
      insert into offer_notices_due (pass_id, offer_ids)
      values (${pass.id}::uuid, ${`{${pass.offerIds.join(',')}}`}::uuid[])
    )
    insert into match_passes (id, chain, pass_no, at, phase, requests, candidates, matched, cut_band,
      cut_turn, slate_start, slate_doubling_ms, list, previous_hash, hash)
    values (${pass.id}::uuid, ${pass.chain}, ${pass.passNo}::bigint, ${pass.at.toISOString()}::timestamptz,
      ${pass.phase}::smallint, ${pass.requests}::int, ${pass.candidates}::int, ${pass.matched}::int,
      ${pass.cut?.band ?? null}::smallint, ${pass.cut?.turn.toISOString() ?? null}::timestamptz,
      ${pass.slate.start}::double precision, ${pass.slate.doublingMs}::int,
      ${bytes(pass.list)}::bytea, ${bytes(pass.previousHash)}::bytea, ${bytes(pass.hash)}::bytea)
    returning id`,
  )
}

function bytes(value: Buffer | null) {
  return value && `\\x${value.toString('hex')}`
}
