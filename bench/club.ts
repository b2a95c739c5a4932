// A club of any size that has run for a while: a tenth of the members have a request, a fifth are present,
// and each member has met ten others.
import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { lotteryKey, ticketCommitment, ticketSecret } from '#contract/draw.ts'
import { disclosure } from './disclosure.ts'
import { onDatabase } from './server.ts'

/** Each step gives every member one pair. Each member is in two pairs a step, so five steps make ten. */
const steps = [1, 7, 31, 127, 353]

/**
 * Fills an empty, migrated database. Requests are two to five and a half hours old, so that every member is
 * in their slate and no cap is relaxed. Pairs met a month ago and never meet again, as in a large club.
 */
export async function loadClub(connection: PgConnection, members: number): Promise<void> {
  await onDatabase(connection, async (client) => {
    // Loading skips foreign keys: every row is made from the same numbers.
    await client.query('begin; set local session_replication_role = replica')
    await client.query(memberId)
    await withoutIndexes(client, async () => {
      for (const text of [people, identities, cards, standings, products, pairs])
        await client.query(text, [members])
      await loadRequests(client, members)
    })
    await client.query('update rotation_figures set members = $1, pair_window_days = null', [members])
    await client.query('commit')
    await client.query('vacuum (analyze)')
  })
}

/**
 * Drops the indexes for as long as rows are loaded and builds them again: in a large club that takes a small
 * part of the time that it takes to keep them for each row. Those of constraints stay.
 */
export async function withoutIndexes(client: pg.Client, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class of on of.oid = indrelid
    where of.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)`)
  await client.query(`set local maintenance_work_mem = '1GB'`)
  await client.query(`drop index ${rows.map(({ name }) => name).join(', ')}`)
  await load()
  for (const { definition } of rows) await client.query(definition)
}

/** Removes every offer with its notifications, as if no pass had run. */
export async function removeOffers(connection: PgConnection): Promise<void> {
  await onDatabase(connection, async (client) => {
    await client.query(`begin; set local session_replication_role = replica;
      update review_queue set status = 'queued', offered_to = null, offered_at = null,
        offer_expires_at = null,
          attempts = 0
        where status = 'offered';
      update reviewer_states set open_offer_id = null, tier = 0 where open_offer_id is not null;
      delete from pair_uses where held;
      delete from offers;
      delete from match_passes;
      truncate events, notices, activity_items, mails;
      delete from pgboss.job;
      commit`)
    await client.query(
      'vacuum (analyze) review_queue, reviewer_states, pair_uses, offers, match_passes, pgboss.job',
    )
  })
}

const memberId = `create function pg_temp.member_id(number bigint) returns uuid immutable language sql
  return ('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid`

const people = `
  insert into members (id, email, email_verified, username, display_name)
  select pg_temp.member_id(n), 'member-' || n || '@evenhand.example', true, 'member-' || n, 'Member ' || n
  from generate_series(0, $1::int - 1) n`

/** Each member has had an address and a sign-in account, and paid with one card. */
const identities = `
  insert into identity_hashes (member_id, hash)
  select pg_temp.member_id(n), sha256((kind || n)::bytea)
  from generate_series(0, $1::int - 1) n, unnest(array['address', 'provider']) kind`

const cards = `
  insert into payer_cards (member_id, card_hash)
  select pg_temp.member_id(n), sha256(('card' || n)::bytea) from generate_series(0, $1::int - 1) n`

const standings = `
  with club as (
    select pg_temp.member_id(n) as id, n % 10 = 3 as asks, (n / 10 + n) % 5 = 0 as is_here
    from generate_series(0, $1::int - 1) n
  ), memberships as (
    insert into memberships (member_id, status, source, current_period_end, started_at)
    select id, 'active', 'demo', clock_timestamp() + interval '30 days',
      clock_timestamp() - interval '60 days'
    from club
  )
  insert into reviewer_states (member_id, standing, open_requests, here_until, last_seen_at, turn_at,
    audit_key,
    tier)
  select id, 'in', asks::int, case when is_here then clock_timestamp() + interval '2 hours' end,
    clock_timestamp() - case when is_here then interval '0' else random() * interval '60 hours' end,
    clock_timestamp() - random() * interval '30 days', sha256(id::text::bytea),
    case when is_here then 0 else 1 end
  from club`

const products = `
  with place as (
    insert into marketplaces (id, name, host, lane, policy_url, policy_sentence, read_by, read_on,
      next_check_on,
      verified_purchase_word, disclosure)
    values (gen_random_uuid(), 'Makerlane', 'makerlane.example', 'public',
      'https://makerlane.example/reviews',
      'Reviews by buyers are welcome.', 'the benchmark', current_date, current_date + 90, 'Verified purchase',
      '${disclosure}')
    returning id
  ), listed as (
    insert into listings (id, marketplace_id, external_id)
    select gen_random_uuid(), place.id, n from generate_series(3, $1::int - 1, 10) n, place
    returning id, marketplace_id, external_id as n
  )
  insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link)
  select gen_random_uuid(), pg_temp.member_id(n::int), marketplace_id, id, 'Work of member ' || n, 'tool',
    'https://makerlane.example/listing/' || n || '?coupon=EVEN'
  from listed`

const pairs = `
  insert into pair_uses (lo, hi, held, last_at, last_reviewer_id)
  select least(one, other), greatest(one, other), false, clock_timestamp() - interval '30 days', one
  from generate_series(0, $1::int - 1) n, unnest('{${steps.join(',')}}'::int[]) step,
    lateral (select pg_temp.member_id(n) as one, pg_temp.member_id((n + step) % $1::int) as other) pair`

/** A request for each product, with a lottery whose evidence is valid. */
async function loadRequests(client: pg.Client, members: number) {
  const made = createHash('sha256').update('a day of the benchmark').digest()
  // A worker that already runs has begun the day itself.
  await client.query(
    `insert into lottery_days (day, secret, secret_hash) values (current_date, $1, $2)
      on conflict do nothing`,
    [made, createHash('sha256').update(made).digest()],
  )
  const day = await client.query<{ secret: Buffer }>(
    'select secret from lottery_days where day = current_date',
  )
  const secret = day.rows[0]?.secret ?? made
  const tickets = Array.from({ length: Math.ceil((members - 3) / 10) }, (_, index) => {
    const ticket = BigInt(index + 1)
    const nonce = randomBytes(16)
    return {
      ticket: Number(ticket),
      nonce: nonce.toString('hex'),
      commit: Buffer.from(ticketCommitment(ticketSecret(secret, ticket))).toString('hex'),
      key: Buffer.from(lotteryKey(secret, ticket, nonce)).toString('hex'),
    }
  })
  await client.query(
    `insert into review_queue (id, product_id, listing_id, seller_id, status, created_at, prio_at,
       lottery_day, lottery_ticket, lottery_nonce, lottery_commit, lottery_key)
     select gen_random_uuid(), p.id, p.listing_id, p.seller_id, 'queued', asked.at, asked.at,
       current_date, t.ticket, decode(t.nonce, 'hex'), decode(t.commit, 'hex'), decode(t.key, 'hex')
     from (select id, listing_id, seller_id, row_number() over () as ticket from products) p
       join jsonb_to_recordset($1::jsonb) as t(ticket bigint, nonce text, commit text,
         key text) using (ticket),
      lateral (select clock_timestamp() - interval '2 hours' - random() * interval '3.5 hours'
         + p.ticket * interval '0' as at) asked`,
    [JSON.stringify(tickets)],
  )
}
