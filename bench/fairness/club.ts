// The product itself on the moved clock: its functions, its database, its reactions. Only what would need
// other people's programs is replaced: jobs are noted and run by the simulation, and mails are taken out of
// the outbox instead of being sent.
import { sql } from 'kysely'
import { confirmHours } from '#contract/reviews.ts'
import type { SlateRule } from '#contract/draw.ts'
import { reactions } from '#server/reactions.ts'
import { readConfig, realSlate } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { Ctx, Kit, MemberCtx, StoredEvent } from '#server/kit/ctx.ts'
import { actAs, newId, systemCtx } from '#server/kit/ctx.ts'
import { inTransaction, openDatabase } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { openLog } from '#server/kit/log.ts'
import { matchingJobs } from '#server/matching/jobs.ts'
import { reviewJobs } from '#server/reviews/jobs.ts'
import { disclosure } from '../disclosure.ts'
import { followClock } from './clock.ts'
import { answerHere } from './answered.ts'
import type { Mail } from './answered.ts'
import type { Clock } from './clock.ts'

export type VirtualClub = {
  system: Ctx
  /** Which share of the members can be drawn for a request, by its age. */
  slate: SlateRule
  clock: Clock
  marketplaceId: string
  /** The jobs that were sent, the events and the mails, since they were last taken. */
  sent: Set<string>
  events: StoredEvent[]
  mails: Mail[]
  close(): Promise<void>
}

export async function openVirtualClub(
  connection: PgConnection,
  clock: Clock,
  slate = realSlate,
): Promise<VirtualClub> {
  const config = readConfig({ EVENHAND_MODE: 'demo', AUTH_SECRET: 'a-secret-of-the-benchmark-0123456789' })
  // The demo's club is faster than a real one.
  config.rotation = { slate }
  config.useTime.longestSeconds = Number.POSITIVE_INFINITY
  const log = openLog('bench', 'error')
  const database = openDatabase(connection, { name: 'bench', log, max: 2 })
  followClock(database.pool, clock)
  // A long run may be stopped for a while in the middle of a transaction, as by a laptop that sleeps.
  const settings = 'set synchronous_commit = off; set idle_in_transaction_session_timeout = 0'
  database.pool.on('connect', (client) => void client.query(settings))
  const sent = new Set<string>()
  const events: StoredEvent[] = []
  const mails: Mail[] = []
  answerHere(database.pool, mails)
  const kit: Kit = {
    db: database.db,
    files: openFiles(config),
    reactions,
    jobs: { send: async (_ctx, name) => void sent.add(name), stop: async () => {} },
    handOver: (event) => void events.push(event),
  }
  const system = systemCtx(kit, config, log)
  const marketplaceId = newId()
  await sql`insert into marketplaces (id, name, host, lane, policy_url, policy_sentence, read_by, read_on,
      next_check_on, coupon_prices, verified_purchase_word, disclosure)
    values (${marketplaceId}, 'Makerlane', 'makerlane.example', 'public',
      'https://makerlane.example/reviews', 'Reviews by buyers are welcome.', 'the benchmark',
      '2026-01-01', '2028-01-01', '{0,50}', 'Verified purchase', ${disclosure})`.execute(system.db)
  return { system, slate, clock, marketplaceId, sent, events, mails, close: () => database.close() }
}

/** A confirmed member who pays, with so many products. */
export async function join(club: VirtualClub, number: number, products: number) {
  const id = newId()
  const name = `member-${number}`
  const me = actAs(club.system, { role: 'user', id, sessionId: null, twoFactor: false }) as MemberCtx
  const productIds = Array.from({ length: products }, () => newId())
  await inTransaction(club.system, async (ctx) => {
    await sql`insert into members (id, email, email_verified, username, display_name)
      values (${id}, ${`${name}@evenhand.example`}, true, ${name}, ${name})`.execute(ctx.db)
    await sql`insert into memberships (member_id, status, source, current_period_end, started_at)
      values (${id}, 'active', 'demo', clock_timestamp() + interval '1000 days', clock_timestamp())`.execute(
      ctx.db,
    )
    await emit(ctx, 'member.verified', { memberId: id }, [id])
    await sql`insert into marketplace_consents (member_id, marketplace_id, policy_version)
      select ${id}, id, policy_version from marketplaces`.execute(ctx.db)
    for (const [at, productId] of productIds.entries()) {
      const listingId = newId()
      await sql`insert into listings (id, marketplace_id, external_id)
        values (${listingId}, ${club.marketplaceId}, ${`${number}-${at}`})`.execute(ctx.db)
      await sql`insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link,
          format)
        values (${productId}, ${id}, ${club.marketplaceId}, ${listingId}, ${`Work ${at} of ${name}`},
          ${categories[(number + at) % categories.length]},
          ${`https://makerlane.example/listing/${number}-${at}?coupon=EVEN`},
          ${formats[(number + 3 * at) % formats.length]})`.execute(ctx.db)
    }
  })
  return { me, productIds }
}

const categories = ['template', 'tool', 'design', 'guide', 'audio', 'video']
const formats = ['pdf', 'epub', 'spreadsheet', 'image', 'software']

/** A pause as the membership's page begins it; the payment partner has no part in this club. */
export async function pause(club: VirtualClub, me: MemberCtx, untilMs: number) {
  await inTransaction(club.system, async (ctx) => {
    await sql`update memberships set paused_from = clock_timestamp(),
      paused_until = clock_timestamp() + make_interval(secs => ${(untilMs - club.clock.now) / 1000})
      where member_id = ${me.who.id}`.execute(ctx.db)
    await emit(ctx, 'membership.changed', { memberId: me.who.id }, [me.who.id])
  })
}

let orders = 1_000_000

/** Proves the purchase, as far as the rotation reads it. False when the review is over. */
export async function noteProof({ who, db }: MemberCtx, reviewId: string) {
  orders += 1
  const { rows } = await sql`
    with done as (
      update reviews set status = 'purchased', purchased_at = clock_timestamp(),
        usable_from = clock_timestamp(), coupon_price_cents = 50
      where id = ${reviewId} and status = 'pending' and due_at > clock_timestamp() returning id
    )
    insert into proofs (id, review_id, uploader_id, kind, order_id)
    select ${newId()}, id, ${who.id}, 'order', ${String(orders)} from done returning id`.execute(db)
  return rows.length > 0
}

/** Hands the review in, as far as the rotation reads it. False when it is over. */
export async function noteReview({ db }: MemberCtx, reviewId: string) {
  const { rows } = await sql`
    update reviews set status = 'reviewed', submitted_at = clock_timestamp(), rating = 3,
      confirm_due_at = clock_timestamp() + make_interval(hours => ${confirmHours}),
      body = 'It plans. It works. It lasts.', used_for = 'Planning.', not_for = 'Phones.'
    where id = ${reviewId} and status = 'purchased' and due_at > clock_timestamp() returning id`.execute(db)
  return rows.length > 0
}

const jobs = new Map([...matchingJobs, ...reviewJobs].map((job) => [job.name, job]))

/** Runs one of the product's jobs; does nothing where it has no job of this name. */
export async function runJob(club: VirtualClub, name: string): Promise<void> {
  club.sent.delete(name)
  await jobs.get(name)?.run(club.system, [{}])
}
