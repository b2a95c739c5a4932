// Members with two products each, who have all seen the rules of the one marketplace.
import type { PgConnection } from '#server/kit/db/connection.ts'
import { onDatabase } from '../server.ts'
import { disclosure } from '../disclosure.ts'

export async function loadMembers(connection: PgConnection, members: number): Promise<void> {
  await onDatabase(connection, async (client) => {
    await client.query('begin')
    for (const text of [people, places, products]) await client.query(text, [members])
    await client.query('update rotation_figures set members = $1', [members])
    await client.query('commit')
    await client.query('analyze')
  })
}

const people = `
  with club as (
    insert into members (id, email, email_verified, username, display_name)
    select gen_random_uuid(), 'member-' || n || '@evenhand.example', true, 'member-' || n, 'Member ' || n
    from generate_series(1, $1::int) n returning id
  ), paid as (
    insert into memberships (member_id, status, source, current_period_end, started_at)
    select id, 'active', 'demo', clock_timestamp() + interval '1000 days', clock_timestamp() from club
  )
  insert into reviewer_states (member_id, standing, last_seen_at, audit_key, tier)
  select id, 'in', clock_timestamp(), sha256(id::text::bytea), 1 from club`

const places = `
  with place as (
    insert into marketplaces (id, name, host, lane, policy_url, policy_sentence, read_by, read_on,
      next_check_on, coupon_prices, verified_purchase_word, disclosure)
    select gen_random_uuid(), 'Makerlane', 'makerlane.example', 'public',
      'https://makerlane.example/reviews', 'Reviews by buyers are welcome.', 'the benchmark', '2026-01-01',
      '2099-01-01', '{0,50}', 'Verified purchase',
      '${disclosure}'
    where $1::int > 0 returning id, policy_version
  )
  insert into marketplace_consents (member_id, marketplace_id, policy_version)
  select m.id, place.id, policy_version from members m, place`

const products = `
  with listed as (
    insert into listings (id, marketplace_id, external_id)
    select gen_random_uuid(), k.id, m.username || '-' || n
    from members m, marketplaces k, generate_series(1, 2) n where $1::int > 0
    returning id, marketplace_id, external_id
  )
  insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link)
  select gen_random_uuid(), m.id, marketplace_id, listed.id, 'Work ' || external_id, 'tool',
    'https://makerlane.example/listing/' || external_id || '?coupon=EVEN'
  from listed join members m on m.username = regexp_replace(external_id, '-[12]$', '')`
