// Writes histories as rows, for tests. What is written is taken back, so the rows need not be a whole
// exchange.
import { sql } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import type { Club } from '#server/testing/club.ts'
import { cancelRequest } from '../requests.ts'
import { addProductOf, askForReview, consent } from '../testing.ts'
import { refreshTiers } from '../tiers.ts'
import { idleOf, windowDays } from './histories.ts'
import type { History, Statement } from './histories.ts'

export type Scene = Awaited<ReturnType<typeof setScene>>

/**
 * A seller with a product, which was asked for once, and a member. The rest of the club cannot be asked, but
 * for `steady`, who can be as long as nothing else is said.
 */
export async function setScene(club: Club) {
  const { db } = club.system
  await sql`update reviewer_states set available_at = 'infinity', last_seen_at = null, tier = 9`.execute(db)
  await sql`update rotation_figures set pair_window_days = ${windowDays.same},
    reverse_window_days = ${windowDays.reverse}`.execute(db)
  const [member, seller, other, steady] = [
    await club.newMember('member'),
    await club.newMember('seller'),
    await club.newMember('other'),
    await club.newMember('steady'),
  ]
  await consent(member)
  const product = await addProductOf(seller, newId())
  await sql`update products set format = 'pdf' where id = ${product}`.execute(db)
  const elsewhere = await addProductOf(other, newId())
  const [closed, closedElsewhere] = [
    await askForReview(seller, product),
    await askForReview(other, elsewhere),
  ]
  await cancelRequest(seller, closed.id)
  await cancelRequest(other, closedElsewhere.id)
  await sql`update reviewer_states set available_at = 'infinity', last_seen_at = null, tier = 9
    where member_id = ${other.who.id}`.execute(db)
  const { listingId } = await db
    .selectFrom('products')
    .select('listingId')
    .where('id', '=', product)
    .executeTakeFirstOrThrow()
  const former = { request: closed.id, elsewhere: closedElsewhere.id }
  return { member, seller, other, steady, product, elsewhere, listingId, former }
}

/** Makes a request so many hours old. */
export async function makeOld(ctx: Ctx, queueId: string, hours: number) {
  const back = sql`make_interval(secs => ${hours * 3600})`
  await sql`update review_queue set created_at = created_at - ${back}, prio_at = prio_at - ${back}
    where id = ${queueId}`.execute(ctx.db)
}

/** Makes a request as old as in this history, by itself or as a successor. */
export async function writeAge(ctx: Ctx, queueId: string, history: History) {
  await makeOld(ctx, queueId, history.age)
  if (history.idle !== null)
    await sql`update review_queue set asked_at = created_at, created_at = clock_timestamp(),
        waiting_since = created_at + make_interval(secs => ${idleOf(history) * 3600})
      where id = ${queueId}`.execute(ctx.db)
}

/** Writes the history of the member with the seller and the seller's listing, but for the request's age. */
export async function writeHistory(ctx: Ctx, scene: Scene, history: History) {
  const { member, seller, listingId, former } = scene
  const id = member.who.id
  await writeStanding(ctx, id, history)
  const { pair, reviewed, purchase, asked, busy } = history
  if (pair) await writePair(ctx, scene, pair)
  if (reviewed)
    await writeReview(ctx, scene, {
      reviewer: member,
      of: seller,
      listingId,
      status: reviewed === 'written' ? 'pending' : reviewed,
    })
  if (purchase !== null)
    await writeReview(ctx, scene, { reviewer: member, of: scene.other, purchaseIn: purchase })
  if (history.receiving !== 'nothing') {
    const status = statusOf[history.receiving]
    await writeReview(ctx, scene, { reviewer: scene.other, of: member, status })
  }
  if (asked) await writeOffer(ctx, scene, { of: former.request, ...asked })
  const open = busy ? await writeOffer(ctx, scene, { of: former.elsewhere, state: 'open' }) : null
  if (history.stated) await writeStatement(ctx, scene, history.stated)
  if (history.closed) await sql`update marketplaces set lane = 'closed'`.execute(ctx.db)
  await writeState(ctx, id, history, open)
}

const statusOf = { accepted: 'pending', bought: 'purchased', submitted: 'reviewed' } as const

/** Makes a member pause, be suspended or unpaid, unless they take part. */
export async function writeStanding(ctx: Ctx, id: string, { standing }: Pick<History, 'standing'>) {
  if (standing === 'paused')
    await sql`update memberships set paused_from = clock_timestamp() - interval '1 minute',
      paused_until = clock_timestamp() + interval '1 day' where member_id = ${id}`.execute(ctx.db)
  if (standing === 'suspended')
    await sql`update members set suspended_at = clock_timestamp() where id = ${id}`.execute(ctx.db)
  if (standing === 'unpaid')
    await sql`update memberships set status = 'ended' where member_id = ${id}`.execute(ctx.db)
}

/** The tier is the one before time passed: the next run of the draw finds what began and ended since. */
async function writeState(ctx: Ctx, id: string, history: History, open: string | null) {
  const { here, seen, gross, receiving, cooldown, rest, quiet } = history
  const inHours = (hours: number | null) =>
    hours === null ? sql`null::timestamptz` : sql`clock_timestamp() + make_interval(secs => ${hours * 3600})`
  const lastSeen = (most = Infinity) => (here === 'here' || here === 'left' ? 0 : -Math.min(seen, most - 1))
  await sql`update reviewer_states set balance = ${gross},
      pending_take = ${receiving === 'nothing' ? 0 : 1}, open_offer_id = coalesce(${open}, open_offer_id),
      refusals = 3, available_at = coalesce(${inHours(cooldown)}, '-infinity'),
      cooldown_until = ${inHours(cooldown)}, rest_until = ${inHours(rest)},
      quiet_from = null, quiet_until = null, standby = ${here === 'standby'},
      here_until = case when ${here} in ('here', 'left') then clock_timestamp() + interval '1 minute' end,
      last_seen_at = ${inHours(lastSeen(72))}
    where member_id = ${id}`.execute(ctx.db)
  await refreshTiers(ctx, [id])
  await sql`update reviewer_states set quiet_from = ${inHours(quiet?.from ?? null)},
      quiet_until = ${inHours(quiet?.until ?? null)},
      here_until = case when ${here} = 'left' then clock_timestamp() else here_until end,
      last_seen_at = ${inHours(lastSeen())}
    where member_id = ${id}`.execute(ctx.db)
}

async function writePair(ctx: Ctx, scene: Scene, pair: NonNullable<History['pair']>) {
  const { member, seller } = scene
  const lo = sql`least(${member.who.id}::uuid, ${seller.who.id}::uuid)`
  const hi = sql`greatest(${member.who.id}::uuid, ${seller.who.id}::uuid)`
  const [days, memberReviewed] = pair === 'held' ? [null, true] : [pair.days, pair.memberReviewed]
  const [reviewer, of] = memberReviewed ? [member, seller] : [seller, member]
  await sql`insert into pair_uses as u (lo, hi, held, last_at, last_reviewer_id)
    values (${lo}, ${hi}, ${days === null}, clock_timestamp() - make_interval(days => ${days}::int),
      ${reviewer.who.id})
    on conflict (lo, hi) do update set last_at = excluded.last_at,
      last_reviewer_id = excluded.last_reviewer_id`.execute(ctx.db)
  if (days !== null) await writeReview(ctx, scene, { reviewer, of, daysAgo: days })
}

type Written = {
  reviewer: MemberCtx
  of: MemberCtx
  listingId?: string
  daysAgo?: number
  purchaseIn?: number
  status?: 'pending' | 'purchased' | 'reviewed' | 'bought and lapsed' | 'lapsed'
}

/** A review that is under way or has lapsed; of a listing of its own when none is named. */
export async function writeReview(ctx: Ctx, { former }: Scene, written: Written) {
  const { reviewer, of, daysAgo = 100, purchaseIn = 1000, status = 'pending' } = written
  const now = (holds: boolean) => sql`case when ${holds} then clock_timestamp() end`
  const bought = status === 'purchased' || status === 'reviewed' || status === 'bought and lapsed'
  const lapsed = status === 'lapsed' || status === 'bought and lapsed'
  const text = status === 'reviewed' ? '-' : null
  const listingId = written.listingId ?? (await newListing(ctx))
  const [id, queueId] = [newId(), await copyClosed(ctx, former.elsewhere)]
  await sql`insert into reviews (id, queue_id, product_id, listing_id, marketplace_id, reviewer_id, seller_id,
      status, accepted_at, purchase_due_at, due_at, lapsed_at, disclosure, purchased_at, submitted_at,
      confirm_due_at, rating, body, used_for, not_for)
    select ${id}, q.id, q.product_id, ${listingId}, p.marketplace_id,
      ${reviewer.who.id}, ${of.who.id}, ${lapsed ? 'lapsed' : status},
      clock_timestamp() - make_interval(days => ${daysAgo}),
      clock_timestamp() + make_interval(hours => ${purchaseIn}), clock_timestamp() + interval '1000 hours',
      ${now(lapsed)}, '-', ${now(bought)},
      ${now(status === 'reviewed')}, ${now(status === 'reviewed')}, ${status === 'reviewed' ? 5 : null}::int,
      ${text}, ${text}, ${text}
    from review_queue q join products p on p.id = q.product_id where q.id = ${queueId}`.execute(ctx.db)
  return id
}

async function newListing(ctx: Ctx) {
  const id = newId()
  await sql`insert into listings (id, marketplace_id, external_id)
    select ${id}, marketplace_id, ${id} from listings limit 1`.execute(ctx.db)
  return id
}

/** A review that this member gave, so many hours ago. */
export async function gave(ctx: Ctx, scene: Scene, reviewer: MemberCtx, hoursAgo: number) {
  const reviewId = await writeReview(ctx, scene, { reviewer, of: scene.other })
  await sql`insert into ledger_entries (id, review_id, member_id, reason, delta, at)
    values (${newId()}, ${reviewId}, ${reviewer.who.id}, 'gave', 1,
      clock_timestamp() - make_interval(hours => ${hoursAgo}))`.execute(ctx.db)
}

/** So many reviews of the seller's products that were accepted today. */
export async function receive(ctx: Ctx, scene: Scene, count: number) {
  for (let n = 0; n < count; n += 1)
    await writeReview(ctx, scene, { reviewer: scene.steady, of: scene.seller, daysAgo: 0, status: 'lapsed' })
}

type Offered = { of: string; state: string; reason?: string | null; hours?: number }

/** An offer to the member of a closed request, answered so many hours ago. */
export async function writeOffer(ctx: Ctx, { member }: Scene, offered: Offered) {
  const { of, reason = null, hours = 0 } = offered
  const byDeclaration = offered.state === 'for a declaration'
  const state = byDeclaration ? 'withdrawn' : offered.state
  const [id, queueId] = [newId(), await copyClosed(ctx, of)]
  await sql`insert into offers (id, queue_id, reviewer_id, seller_id, state, reason, live, offered_at,
      expires_at, responded_at, by_declaration, snapshot)
    select ${id}, q.id, ${member.who.id}, q.seller_id, ${state}, ${reason}, true,
      t.at - interval '30 minutes', t.at + interval '30 minutes',
      case when ${state} <> 'open' then t.at end, ${byDeclaration}, '{}'
    from review_queue q, (select clock_timestamp() - make_interval(secs => ${hours * 3600}) as at) t
    where q.id = ${queueId}`.execute(ctx.db)
  return id
}

async function copyClosed(ctx: Ctx, queueId: string) {
  const id = newId()
  await sql`insert into review_queue (id, product_id, listing_id, seller_id, status, created_at, prio_at,
      closed_at, lottery_day, lottery_ticket, lottery_nonce, lottery_commit, lottery_key)
    select ${id}, product_id, listing_id, seller_id, 'cancelled', created_at - interval '400 days', prio_at,
      closed_at, lottery_day, lottery_ticket, lottery_nonce, lottery_commit, lottery_key
    from review_queue where id = ${queueId}`.execute(ctx.db)
  return id
}

/** So many requests that were completed so many days ago. */
export async function writeCompleted(ctx: Ctx, { former, member }: Scene, count: number, daysAgo: number) {
  const at = sql`clock_timestamp() - make_interval(days => ${daysAgo})`
  await sql`with made as (
      insert into listings (id, marketplace_id, external_id)
      select gen_random_uuid(), m.id, gen_random_uuid() from marketplaces m, generate_series(1, ${count})
      returning id
    )
    insert into review_queue (id, product_id, listing_id, seller_id, status, created_at, prio_at, offered_to,
      reviewer_id, accepted_at, completed_at, lottery_day, lottery_ticket, lottery_nonce,
      lottery_commit, lottery_key)
    select gen_random_uuid(), product_id, made.id, seller_id, 'completed', ${at}, ${at}, ${member.who.id},
      ${member.who.id}, ${at}, ${at}, lottery_day, lottery_ticket, lottery_nonce, lottery_commit, lottery_key
    from review_queue q, made where q.id = ${former.elsewhere}`.execute(ctx.db)
}

async function writeStatement(ctx: Ctx, { member, seller, listingId, product }: Scene, stated: Statement) {
  const [me, them] = [member.who.id, seller.who.id]
  const lists: Record<Statement, ReturnType<typeof sql>> = {
    conflict: sql`insert into conflicts (lo, hi, declared_by) values (least(${me}::uuid, ${them}::uuid),
      greatest(${me}::uuid, ${them}::uuid), ${me})`,
    household: declare(me, them, 'household'),
    competitor: declare(me, them, 'competitor'),
    'declared by the seller': declare(them, me, 'conflict'),
    'one shop': sql`${shopsOf([me, them])} select * from made`,
    'shop declared': declareShop(),
    'shop declaration that ended': declareShop(-1),
    'listing declared': declareListing(),
    'listing declaration that ended': declareListing(-1),
    'declaration that ends': declare(me, them, 'conflict', 1),
    'declaration that ended': declare(me, them, 'conflict', -1),
    'same card': sql`insert into payer_cards (member_id, card_hash)
      select unnest(array[${me}, ${them}]::uuid[]), ${Buffer.alloc(32, 1)}`,
    'same person': identity(false),
    'same former listing': identity(true),
    owned: sql`insert into owned_listings (member_id, listing_id) values (${me}, ${listingId})`,
    'sold before': sql`insert into products (id, seller_id, marketplace_id, listing_id, title, category,
        coupon_link, deleted_at)
      select ${newId()}, ${me}, marketplace_id, listing_id, title, category, coupon_link, clock_timestamp()
      from products where id = ${product}`,
    'unusable format': sql`insert into unusable_formats (id, member_id, category, format)
      values (${newId()}, ${me}, 'tool', 'pdf')`,
    'other format': sql`insert into unusable_formats (id, member_id, category, format)
      values (${newId()}, ${me}, 'tool', null), (${newId()}, ${me}, 'guide', 'pdf')`,
    'reported broken': report(29),
    'reported broken long ago': report(31),
    'unwanted product': sql`insert into unwanted_offers (id, member_id, listing_id)
      values (${newId()}, ${me}, ${listingId})`,
    'unwanted category': mark(null),
    'mark that ends': mark(1),
    'mark that ended': mark(-1),
  }
  await lists[stated].execute(ctx.db)

  function declare(by: string, about: string, kind: string, endsIn: number | null = null) {
    return sql`insert into declarations (id, member_id, kind, about_member_id, named_as, ends_at)
      values (${newId()}, ${by}, ${kind}, ${about}, 'someone',
        ${inHours(endsIn)})`
  }
  function declareShop(endsIn: number | null = null) {
    return sql`${shopsOf([them])} insert into declarations (id, member_id, kind, address, named_as, ends_at)
      select ${newId()}, ${me}, 'competitor', address, 'shop', ${inHours(endsIn)} from made`
  }
  function declareListing(endsIn: number | null = null) {
    return sql`insert into declarations (id, member_id, kind, marketplace_id, listing, named_as, ends_at)
      select ${newId()}, ${me}, 'competitor', marketplace_id, external_id, 'listing', ${inHours(endsIn)}
      from listings where id = ${listingId}`
  }
  function identity(ofListing: boolean) {
    return sql`insert into identity_hashes (member_id, hash, of_listing)
      select unnest(array[${me}, ${them}]::uuid[]), ${Buffer.alloc(32, 1)}, ${ofListing}`
  }
  function inHours(hours: number | null) {
    return sql`clock_timestamp() + make_interval(hours => ${hours}::int)`
  }
  function shopsOf(members: string[]) {
    return sql`with made as (insert into shops (id, member_id, marketplace_id, name, address)
      select gen_random_uuid(), m, k.id, 'Ours', 'makerlane.example/shop/ours'
      from unnest(${members}::uuid[]) m, marketplaces k returning address)`
  }
  function report(daysAgo: number) {
    return sql`insert into listing_reports (listing_id, member_id, created_at)
      values (${listingId}, ${me}, clock_timestamp() - make_interval(days => ${daysAgo}))`
  }
  function mark(endsIn: number | null) {
    return sql`insert into unwanted_offers (id, member_id, category, created_at, ends_at) values (${newId()},
      ${me}, 'tool', clock_timestamp() - interval '2 days', ${inHours(endsIn)})`
  }
}
