import { createHash } from 'node:crypto'
import pg from 'pg'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { newId } from '#server/kit/ctx.ts'
import { cast } from './cast.ts'
import { marketplace } from './products.ts'

const known = ['anna', 'ben', 'clara', 'dario', 'elif', 'finn', 'ada', 'sam']

/**
 * The named cast for tests: all verified and active with one live product (finn has none), elif paused, no
 * one present, no history. The ids of listings may be words. A test adds the rest of what it needs.
 */
export async function seedCast(connection: PgConnection) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('begin')
  const marketplaceId = newId()
  await client.query(
    `insert into marketplaces (id, name, host, lane, policy_url, policy_sentence, read_by, read_on,
      next_check_on,
       coupon_prices, verified_purchase_word, disclosure, listing_id_form)
     values ($1, $2, $3, 'public', $4, 'Reviews exchanged between sellers are allowed when they say so.',
       'ada', current_date,
       current_date + 90, '{0,50}', 'Verified Purchase', $5, '[A-Za-z0-9-]{1,60}')`,
    [marketplaceId, marketplace.name, marketplace.host, marketplace.policyUrl, marketplace.disclosure],
  )
  for (const person of cast.filter(({ username }) => known.includes(username))) {
    const id = newId()
    await client.query(
      `insert into members (id, email, email_verified, username, display_name, full_name, role)
        values ($1, $2, true, $3, $4, $5, $6)`,
      [id, person.email, person.username, person.displayName, person.fullName, person.role],
    )
    const paused = person.username === 'elif'
    await client.query(
      `insert into memberships (member_id, status, source, current_period_end, started_at, paused_from,
        paused_until)
       values ($1, 'active', 'demo', clock_timestamp() + interval '30 days', clock_timestamp(), $2, $3)`,
      [id, paused ? new Date(Date.now() - 864e5) : null, paused ? new Date(Date.now() + 9 * 864e5) : null],
    )
    await client.query(
      `insert into reviewer_states (member_id, standing, tier, last_seen_at, audit_key)
        values ($1, $2, $3, clock_timestamp(), $4)`,
      [id, paused ? 'paused' : 'in', paused ? 9 : 1, createHash('sha256').update(person.username).digest()],
    )
    await client.query(
      `insert into marketplace_consents (member_id, marketplace_id, policy_version) values ($1, $2, 1)`,
      [id, marketplaceId],
    )
    if (person.username === 'finn' || person.role !== 'user') continue
    const link = `https://${marketplace.host}/listing/${person.username}?coupon=EVEN`
    const listingId = newId()
    await client.query('insert into listings (id, marketplace_id, external_id) values ($1, $2, $3)', [
      listingId,
      marketplaceId,
      person.username,
    ])
    await client.query(
      `insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link,
        description)
       values ($1, $2, $3, $4, $5, 'template', $6, 'A planner to print, twelve pages as a PDF.')`,
      [newId(), id, marketplaceId, listingId, `Planner of ${person.username}`, link],
    )
  }
  await client.query('commit')
  await client.end()
}
