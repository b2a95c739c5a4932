import { expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { useMigrated } from './testing.ts'
import type { Query } from './testing.ts'

// A club from before moderation, in which a seller's report returned a review at once.
const { query, findBreaches } = useMigrated({ before: '2026-11-22-38', fill })

type Old = { status: string; returned: boolean; handedInAgain?: boolean }
const reviews: Record<string, Old> = {
  open: { status: 'returned', returned: true },
  edited: { status: 'reviewed', returned: true, handedInAgain: true },
  final: { status: 'verified', returned: true, handedInAgain: true },
  missed: { status: 'lapsed', returned: true },
  never: { status: 'verified', returned: false },
}
const ids = Object.fromEntries(Object.keys(reviews).map((name) => [name, newId()]))

async function fill(query: Query) {
  const marketplace = newId()
  await query(
    `insert into marketplaces (id, name, host, lane, policy_url, policy_sentence, read_by, read_on,
       next_check_on, verified_purchase_word, disclosure)
     values ($1, 'Maker Lane', 'makerlane.example', 'public', 'https://makerlane.example/p', 'Allowed.',
       'ada', current_date, current_date, 'Verified', 'I got this at a reduced price.')`,
    [marketplace],
  )
  for (const [at, [name, old]] of Object.entries(reviews).entries()) {
    const people = {
      seller: await addMember(query, `s-${name}`),
      reviewer: await addMember(query, `r-${name}`),
    }
    await addReview(query, { id: ids[name] ?? '', at, marketplace, ...people, ...old })
  }
}

async function addMember(query: Query, username: string) {
  const id = newId()
  await query(
    `insert into members (id, email, email_verified, username, display_name)
     values ($1, $2::text || '@mail.example', true, $2::text, $2::text)`,
    [id, username],
  )
  await query(
    `insert into reviewer_states (member_id, standing, audit_key) values ($1, 'in', sha256($2::text::bytea))`,
    [id, username],
  )
  return id
}

type Row = Old & { id: string; at: number; marketplace: string; seller: string; reviewer: string }

async function addReview(query: Query, row: Row) {
  const { id, at, marketplace, seller, reviewer, status, returned, handedInAgain } = row
  const listing = newId()
  const request = await addRequest(query, { at, listing, marketplace, seller, reviewer, status })
  await query(
    `insert into reviews (id, queue_id, product_id, listing_id, reviewer_id, seller_id, marketplace_id,
       status, accepted_at, purchase_due_at, due_at, purchased_at, submitted_at, confirm_due_at,
       returned_at, return_reason, return_explanation, return_due_at, returns, verified_at, verified_by,
       lapsed_at, rating, body, used_for, not_for, disclosure)
     select $1, $2, $3, $3, $4, $5, $6, $7::text, now() - interval '9 days', now() - interval '7 days',
       now() - interval '3 days', now() - interval '8 days',
       now() - case when $9 then interval '3 days' else interval '5 days' end,
       case when $7 = 'reviewed' then now() + interval '1 day' end,
       case when $8 then now() - interval '4 days' end, case when $8 then 'not_visible' end,
       case when $8 then 'I cannot find it.' end,
       case when $7 = 'returned' then now() + interval '1 day' end, case when $8 then 1 else 0 end,
       case when $7 = 'verified' then now() end, case when $7 = 'verified' then 'seller' end,
       case when $7 = 'lapsed' then now() end, 4, 'It opens. It prints. It lasts for a year.',
       'Planning a year', 'People who plan on paper', 'I got this at a reduced price.'`,
    [id, request, listing, reviewer, seller, marketplace, status, returned, handedInAgain ?? false],
  )
  for (let version = 1; version <= (handedInAgain ? 2 : 1); version += 1) {
    await query(
      `insert into review_versions (review_id, version, rating, body, used_for, not_for, ai_assisted)
       select id, $2, rating, body, used_for, not_for, false from reviews where id = $1`,
      [id, version],
    )
  }
  await query(
    `insert into proofs (id, review_id, uploader_id, kind, order_id)
     values (gen_random_uuid(), $1, $2, 'order', $3)`,
    [id, reviewer, `44410${at}`],
  )
  if (status === 'verified') {
    await query(
      `insert into ledger_entries (id, review_id, member_id, reason, delta)
       values (gen_random_uuid(), $1, $2, 'gave', 1), (gen_random_uuid(), $1, $3, 'received', -1)`,
      [id, reviewer, seller],
    )
  }
  await query(
    `update reviewer_states set balance = coalesce((select sum(delta) from ledger_entries l
         where l.member_id = reviewer_states.member_id), 0),
       pending_give = case when $3 and member_id = $1 then 1 else 0 end,
       pending_take = case when $3 and member_id = $2 then 1 else 0 end
     where member_id in ($1, $2)`,
    [reviewer, seller, status !== 'verified' && status !== 'lapsed'],
  )
  if (status === 'lapsed')
    await query('insert into strikes (id, member_id, review_id) values (gen_random_uuid(), $1, $2)', [
      reviewer,
      id,
    ])
}

type Request = Omit<Row, 'id' | 'returned'> & { listing: string }

async function addRequest(query: Query, { at, listing, marketplace, seller, reviewer, status }: Request) {
  const request = newId()
  const link = `https://makerlane.example/listing/${at + 70}`
  await query('insert into listings (id, marketplace_id, external_id) values ($1, $2, $3)', [
    listing,
    marketplace,
    String(at + 70),
  ])
  await query(
    `insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link)
     values ($1, $2, $3, $1, 'Planner', 'tool', $4)`,
    [listing, seller, marketplace, `${link}?coupon=EVEN`],
  )
  await query(
    `insert into review_queue (id, product_id, listing_id, seller_id, status, prio_at, offered_to, offered_at,
       offer_expires_at, reviewer_id, accepted_at, completed_at, closed_at, lottery_day, lottery_ticket,
       lottery_nonce, lottery_commit, lottery_key)
     select $1, $2, $2, $3, $5::text, now(), $4, t, t + interval '1 hour', $4, t,
       case when $5 = 'completed' then now() end, case when $5 = 'lapsed' then now() end,
       current_date, $6, '', '', ''
     from (select now() - interval '9 days' as t) accepted`,
    [request, listing, seller, reviewer, requestStatus[status] ?? 'in_review', at],
  )
  await query(
    `insert into offers (id, queue_id, reviewer_id, seller_id, state, live, offered_at, expires_at,
       responded_at, snapshot)
     select gen_random_uuid(), $1, $2, $3, 'accepted', true, offered_at, offer_expires_at, accepted_at,
       product_snapshot(p)
     from review_queue q join products p on p.id = q.product_id where q.id = $1`,
    [request, reviewer, seller],
  )
  return request
}

const requestStatus: Record<string, string> = { verified: 'completed', lapsed: 'lapsed' }

test('each return is the report and the case that it would have been', async () => {
  const rows = await query<{ review: string; as: string; [column: string]: unknown }>(
    `select c.review_id as review, concat_ws(', ', c.state, c.closed_as) as "as", x.reason, x.explanation,
       x.reporter_id = r.seller_id and c.member_id = r.reviewer_id as "ofTheTwo",
       c.answer_due_at is not distinct from r.return_due_at as "answerDue",
       x.created_at = r.returned_at as "sameTime"
     from cases c join reports x on x.case_id = c.id join reviews r on r.id = c.review_id`,
  )
  const found = Object.fromEntries(rows.map(({ review, as }) => [review, as]))
  const of = (name: string) => found[ids[name] ?? '']
  expect(Object.keys(reviews).map((name) => [name, of(name)])).toEqual([
    ['open', 'returned'],
    ['edited', 'closed, edited'],
    ['final', 'closed, edited'],
    ['missed', 'closed, missed'],
    ['never', undefined],
  ])
  for (const { reason, explanation, ofTheTwo, answerDue, sameTime } of rows) {
    expect({ reason, explanation, ofTheTwo, answerDue, sameTime }).toEqual({
      reason: 'not_visible',
      explanation: 'I cannot find it.',
      ofTheTwo: true,
      answerDue: true,
      sameTime: true,
    })
  }
})

test('what was returned still waits for its writer, and the strike of a missed one stays', async () => {
  expect(
    await query(
      `select status, returns, held_at, return_due_at > now() as waits from reviews where id = $1`,
      [ids.open],
    ),
  ).toEqual([{ status: 'returned', returns: 1, held_at: null, waits: true }])
  expect(await query('select review_id from strikes where withdrawn_at is null')).toEqual([
    { review_id: ids.missed },
  ])
})

test('no invariant is broken', async () => {
  expect(await findBreaches()).toEqual([])
})
