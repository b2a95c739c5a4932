// The club of the load targets: 5,000 members with ten products each, who have given and received eight
// reviews each, and 1,000,000 entries in the log. Its rows break no invariant.
import { retention } from '#contract/retention.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { loadClub, withoutIndexes } from '../club.ts'
import { onDatabase } from '../server.ts'

type ClubSize = {
  members: number
  productsEach: number
  reviewsEach: number
  /** Notices of each member, and as many items in the activity. */
  noticesEach: number
  logEntries: number
}
export const largeClub: ClubSize = {
  members: 5000,
  productsEach: 10,
  reviewsEach: 8,
  noticesEach: 40,
  logEntries: 1_000_000,
}

/**
 * Member n reviewed a product of member n + step, one step every ten days. No two steps make the same pair,
 * and none is one of club.ts.
 */
const steps = [11, 101, 211, 401, 601, 809, 1009, 1201]

/** Fills an empty, migrated database: the club of club.ts and what it has done since. */
export async function loadLargeClub(connection: PgConnection, size: ClubSize = largeClub): Promise<void> {
  await loadClub(connection, size.members)
  await onDatabase(connection, async (client) => {
    await client.query('begin; set local session_replication_role = replica')
    await client.query(memberId)
    await withoutIndexes(client, async () => {
      await client.query(products, [size.members, size.productsEach])
      await client.query(exchanges, [size.members, steps.slice(0, size.reviewsEach)])
      for (const text of [consents, requests, offers, reviews, passages, proofs, versions, pairs]) {
        await client.query(text)
      }
      await client.query(inbox, [size.members, size.noticesEach])
      await client.query(activity, [size.members, size.noticesEach])
      await client.query(logEntries, [size.logEntries, size.members])
    })
    // The chain of the ledger is made by its own trigger, at the commit. It was empty when it was analyzed.
    await client.query('set local session_replication_role = origin; set local enable_seqscan = off')
    await client.query(ledger)
    await client.query('commit')
    await client.query('vacuum (analyze)')
  })
}

const memberId = `create function pg_temp.member_id(number bigint) returns uuid immutable language sql
  return ('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid`

/** Beside the product that each tenth member has, so that every member has this many. */
const products = `
  with listed as (
    insert into listings (id, marketplace_id, external_id)
    select gen_random_uuid(), k.id, 'large' || n || 'x' || at
    from generate_series(0, $1::int - 1) n, generate_series(1, $2::int) at, marketplaces k
    where at > 1 or n % 10 <> 3
    returning id, marketplace_id, external_id
  )
  insert into products (id, seller_id, marketplace_id, listing_id, title, category, format, price_cents,
    coupon_link, description, tags, created_at)
  select gen_random_uuid(), pg_temp.member_id(split_part(substr(external_id, 6), 'x', 1)::int),
    marketplace_id, id, 'Work ' || external_id,
    (array['tool', 'template', 'design', 'guide'])[1 + length(external_id) % 4], 'pdf', 1900,
    'https://makerlane.example/listing/' || external_id || '?coupon=EVEN',
    repeat('What it does and for whom. ', 12), array['planning', 'home'],
    clock_timestamp() - interval '100 days' + split_part(external_id, 'x', 2)::int * interval '9 days'
  from listed`

const exchanges = `
  create temporary table exchanges on commit drop as
  with numbered as (
    select p.*, row_number() over (partition by seller_id order by created_at, id) as nth from products p
  )
  select gen_random_uuid() as request_id, gen_random_uuid() as review_id,
    row_number() over (order by at, n) as number, pg_temp.member_id(n) as reviewer_id, p.seller_id,
    p.id as product_id, p.listing_id, p.marketplace_id, p.title, p.coupon_link, 1 + (n + at) % 5 as stars,
    date_trunc('day', clock_timestamp()) - at * interval '10 days'
      + (n % 1200) * interval '1 minute' as moment
  from generate_series(0, $1::int - 1) n cross join unnest($2::int[]) with ordinality t(step, at)
    join numbered p on p.seller_id = pg_temp.member_id((n + step) % $1::int) and p.nth = at`

const consents = `
  insert into marketplace_consents (member_id, marketplace_id, policy_version)
  select m.id, k.id, k.policy_version from members m, marketplaces k`

const requests = `
  insert into review_queue (id, product_id, listing_id, seller_id, status, created_at, prio_at, offered_to,
    offered_at, offer_expires_at, reviewer_id, accepted_at, completed_at, attempts, lottery_day,
    lottery_ticket, lottery_nonce, lottery_commit, lottery_key)
  select request_id, product_id, listing_id, seller_id, 'completed', moment - interval '2 hours',
    moment - interval '2 hours', reviewer_id, moment - interval '10 minutes',
    moment + interval '20 minutes', reviewer_id, moment,
    moment + interval '4 days', 1, moment::date, number, '\\x00', '\\x00', '\\x00'
  from exchanges`

const offers = `
  insert into offers (id, queue_id, reviewer_id, seller_id, state, live, offered_at, expires_at, seen_at,
    responded_at, snapshot)
  select gen_random_uuid(), request_id, reviewer_id, seller_id, 'accepted', false,
    moment - interval '10 minutes', moment + interval '20 minutes', moment, moment,
    jsonb_build_object('title', title, 'coupon_link', coupon_link, 'category', 'tool', 'format', 'pdf',
      'description', null, 'image_id', null, 'price_cents', 1900, 'coupon_cents', null)
  from exchanges`

const text = `'The page says what it is. Setting it up took me ' || number ||
  ' minutes. The result fits my week.'`

const reviews = `
  insert into reviews (id, queue_id, product_id, listing_id, reviewer_id, seller_id, marketplace_id, status,
    accepted_at, purchase_due_at, due_at, coupon_opened_at, coupon_opens, coupon_price_cents, purchased_at,
    usable_from, submitted_at, verified_at, verified_by, rating, body, used_for, not_for, disclosure)
  select review_id, request_id, product_id, listing_id, reviewer_id, seller_id, e.marketplace_id, 'verified',
    moment, moment + interval '3 days', moment + interval '7 days', moment, 1, 50,
    moment + interval '1 hour', moment + interval '1 hour', moment + interval '2 days',
    moment + interval '4 days', 'seller', stars,
    ${text}, 'Planning the weeks.', 'Those who plan on paper.', k.disclosure
  from exchanges e join marketplaces k on k.id = e.marketplace_id`

// By a trigger, which rests while the club is filled.
const passages = `
  insert into review_passages (hash, review_id) select unnest(passages_of(body)), id from reviews`

const proofs = `
  insert into proofs (id, review_id, uploader_id, kind, order_id, created_at)
  select gen_random_uuid(), review_id, reviewer_id, 'order', (9000000 + number)::text,
    moment + interval '1 hour'
  from exchanges`

const versions = `
  insert into review_versions (review_id, version, rating, body, used_for, not_for, ai_assisted,
    created_at, lane)
  select r.id, 1, r.rating, r.disclosure || ' ' || r.body, r.used_for, r.not_for, false,
    r.submitted_at, 'public'
  from reviews r join exchanges e on e.review_id = r.id`

const pairs = `
  insert into pair_uses (lo, hi, held, last_at, last_reviewer_id)
  select least(reviewer_id, seller_id), greatest(reviewer_id, seller_id), false, moment, reviewer_id
  from exchanges`

const ledger = `
  insert into ledger_entries (id, review_id, member_id, reason, delta, at)
  select gen_random_uuid(), review_id, side.member_id, side.reason, side.delta, moment + interval '4 days'
  from exchanges, lateral (values (reviewer_id, 'gave', 1), (seller_id, 'received', -1)) side (member_id,
    reason, delta)`

const inbox = `
  insert into notices (id, member_id, dedupe_key, title, message, priority, action_label, action_href,
    created_at, read_at)
  select gen_random_uuid(), pg_temp.member_id(n), 'notice-' || nth, 'A review offer is waiting for you',
    '“Work ' || nth || '” was drawn for you. Accept or decline within 30 minutes.', 'high', 'See the offer',
    '/dashboard?offer=open', made.at, case when nth > 5 then made.at end
  from generate_series(0, $1::int - 1) n, generate_series(1, $2::int) nth,
    lateral (select clock_timestamp() - (nth * 60 + n % 60) * interval '1 minute' as at) made`

const activity = `
  insert into activity_items (id, member_id, dedupe_key, type, title, description, status, href, created_at)
  select gen_random_uuid(), pg_temp.member_id(n), 'item-' || nth,
    (array['reviews', 'matching', 'billing'])[1 + nth % 3], 'Offer accepted',
    'You accepted “Work ' || nth || '”.', 'success', '/reviews',
    clock_timestamp() - (nth * 300 + n % 60) * interval '1 minute'
  from generate_series(0, $1::int - 1) n, generate_series(1, $2::int) nth`

const logEntries = `
  insert into activity_logs (id, member_id, action, metadata, user_agent, created_at)
  select gen_random_uuid(), case when n % 50 > 0 then pg_temp.member_id((n::bigint * 7919) % $2::int) end,
    case when n % 2 = 0 then 'user_logged_in' else 'action_' || chr(97 + n % 25) || '_done' end,
    jsonb_build_object('method', case when n % 2 = 0 then 'password' else 'passkey' end,
      'targetId', lpad(to_hex(n::bigint * 7919), 12, '0')),
    case when made.at > clock_timestamp() - interval '${retention.addressDays} days'
      then 'Mozilla/5.0 (X11; Linux x86_64)' end, made.at
  from generate_series(0, $1::int - 1) n,
    lateral (select clock_timestamp() - make_interval(secs => ($1::int - n) * 8) as at) made`
