import { expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { useMigrated } from './testing.ts'
import type { Query } from './testing.ts'

// A club from before listings, whose members connected one page of the marketplace several times.
const links = {
  first: 'https://makerlane.example/listing/0077-planner?coupon=EVEN',
  again: 'https://www.makerlane.example/listing/77?coupon=EVEN&z=1',
  byAnother: 'https://makerlane.example/listing/77/planner?coupon=EVEN',
  deleted: 'https://makerlane.example/listing/77?coupon=OLD',
  different: 'https://makerlane.example/listing/78?coupon=EVEN',
  noListing: 'https://makerlane.example/shop?coupon=EVEN',
}
const ids = Object.fromEntries(Object.keys(links).map((name) => [name, newId()]))
const { query } = useMigrated({ before: '2026-11-22-10', fill })

async function fill(query: Query) {
  const [anna, ben, marketplace] = [newId(), newId(), newId()]
  await query(
    `insert into marketplaces (id, name, host, lane, policy_url, policy_sentence, read_by, read_on,
       next_check_on, verified_purchase_word, disclosure)
     values ($1, 'Maker Lane', 'makerlane.example', 'public', 'https://makerlane.example/p', 'Allowed.',
       'ada', current_date, current_date, 'Verified', 'I got this at a reduced price.')`,
    [marketplace],
  )
  for (const [id, name] of [
    [anna, 'anna'],
    [ben, 'ben'],
  ]) {
    await query(
      `insert into members (id, email, email_verified, username, display_name)
       values ($1, $2::text || '@mail.example', true, $2::text, $2::text)`,
      [id, name],
    )
    await query(
      `insert into reviewer_states (member_id, standing, open_requests, audit_key)
       values ($1, 'in', case when $2::text = 'ben' then 1 else 2 end, sha256($2::text::bytea))`,
      [id, name],
    )
  }
  for (const [at, [name, link]] of Object.entries(links).entries()) {
    const seller = name === 'byAnother' ? ben : anna
    await query(
      `insert into products (id, seller_id, marketplace_id, title, category, coupon_link, coupon_link_norm,
         created_at, deleted_at)
       values ($1::uuid, $2, $3, 'Planner', 'tool', $4, $1::uuid::text, now() + make_interval(secs => $5),
         case when $6 then now() end)`,
      [ids[name], seller, marketplace, link, at, name === 'deleted'],
    )
    if (name === 'deleted' || name === 'different' || name === 'noListing') continue
    await query(
      `insert into review_queue (id, product_id, seller_id, status, prio_at, lottery_day, lottery_ticket,
         lottery_nonce, lottery_commit, lottery_key)
       values (gen_random_uuid(), $1, $2, 'queued', now(), current_date, $3, '', '', '')`,
      [ids[name], seller, at],
    )
  }
}

test('the oldest product of a page keeps its listing, and the others leave the rotation', async () => {
  const rows = await query<{ id: string; listing: string; archived: boolean; status: string }>(
    `select p.id, l.external_id as listing, p.archived_at is not null as archived, q.status
     from products p join listings l on l.id = p.listing_id left join review_queue q on q.product_id = p.id`,
  )
  const found = Object.fromEntries(rows.map(({ id, ...row }) => [id, row]))
  const own = (name: string) => `product:${ids[name]}`
  const of = (name: string) => found[ids[name] ?? '']
  expect(of('first')).toEqual({ listing: '77', archived: false, status: 'queued' })
  expect(of('again')).toEqual({ listing: own('again'), archived: true, status: 'cancelled' })
  expect(of('byAnother')).toEqual({ listing: own('byAnother'), archived: true, status: 'cancelled' })
  expect(of('deleted')).toEqual({ listing: own('deleted'), archived: false, status: null })
  expect(of('different')).toEqual({ listing: '78', archived: false, status: null })
  expect(of('noListing')).toEqual({ listing: own('noListing'), archived: false, status: null })
})

test('open requests are counted again, and a link of the demo ends at its number', async () => {
  const counts = await query(
    `select m.username, open_requests from reviewer_states s join members m on m.id = s.member_id order by 1`,
  )
  expect(counts).toEqual([
    { username: 'anna', open_requests: 1 },
    { username: 'ben', open_requests: 0 },
  ])
  const link = await query('select coupon_link from products where id = $1', [ids['first']])
  expect(link).toEqual([{ coupon_link: 'https://makerlane.example/listing/0077?coupon=EVEN' }])
})
