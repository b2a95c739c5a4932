import { sql } from 'kysely'
import { acceptLimits } from '#contract/matching-rules.ts'
import { cast } from '#db/seed/cast.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { startOfToday } from '#server/kit/db/db.ts'
import { pairBars, readPairWindow, windowStart } from '#server/matching/pairs.ts'
import type { Exchange, OpenOffer, SimulatedMember, Waiting, DemoState } from './plan.ts'
import { isTakingPart } from '#server/membership/standings.ts'

/** People sign in as these, and documents describe their state, so the simulator never acts for them. */
const named = new Set(['anna', 'ben', 'clara', 'dario', 'elif', 'finn'])

const simulatedEmails = cast
  .filter(({ username, role }) => role === 'user' && !named.has(username))
  .map(({ email }) => email)

/** What the simulator sees. While a person is signed in as a member, that member is not simulated. */
export async function readDemoState(ctx: Ctx): Promise<DemoState> {
  const people = await readPeople(ctx)
  const members = people.map(({ id }) => id)
  const [offers, exchanges, queue] = [
    await readOffers(ctx, members),
    await readExchanges(ctx, members),
    await readQueue(ctx, members),
  ]
  return { people, offers, exchanges, queue }
}

async function readPeople(ctx: Ctx) {
  const { rows } = await sql<SimulatedMember>`
    select m.id, ${isTakingPart('s.standing')} as in_rotation, s.balance, s.pending_give as give,
      s.pending_take as take, s.open_requests as open,
      coalesce(s.here_until > clock_timestamp(), false) as here, s.open_offer_id is not null as has_offer,
      greatest(s.available_at, s.rest_until) <= clock_timestamp() and a.today < ${acceptLimits.perDay}
        and a.week < ${acceptLimits.perWeek}
        and not exists (select from reviews r where r.reviewer_id = m.id and r.status = 'pending'
          and r.purchase_due_at < clock_timestamp()) as available,
      a.today as accepted_today, a.week as accepted_this_week, d.today as declined_today,
      extract(epoch from clock_timestamp() - coalesce(s.last_seen_at, m.created_at))::float8 as unseen_for,
      extract(epoch from clock_timestamp() - s.turn_at)::float8 as turn_age
    from members m join reviewer_states s on s.member_id = m.id join standings n on n.member_id = m.id
    cross join lateral (
      select count(*) filter (where o.responded_at >= ${startOfToday}) as today,
        count(*) as week
      from offers o where o.reviewer_id = m.id and o.state = 'accepted'
        and o.offered_at > clock_timestamp() - interval '8 days'
          and o.responded_at > clock_timestamp() - make_interval(hours => ${acceptLimits.weekHours})
    ) a
    cross join lateral (
      select count(*) as today from decline_history h
      where h.reviewer_id = m.id and h.counted and h.created_at >= ${startOfToday}
    ) d
    where lower(m.email) = any(${simulatedEmails}) and not n.suspended and not n.erased
      and not exists (select from sessions l where l.member_id = m.id and l.expires_at > clock_timestamp()
        and l.last_seen_at > clock_timestamp() - interval '30 minutes')`.execute(ctx.db)
  return rows
}

async function readOffers(ctx: Ctx, members: string[]) {
  const { rows } = await sql<OpenOffer>`
    select id, queue_id, reviewer_id, seller_id <> all(${members}::uuid[]) as from_guest,
      extract(epoch from clock_timestamp() - offered_at)::float8 as age
    from offers where state = 'open' and expires_at > clock_timestamp()
      and reviewer_id = any(${members}::uuid[])
    order by offered_at`.execute(ctx.db)
  return rows
}

async function readExchanges(ctx: Ctx, members: string[]) {
  const { rows } = await sql<Exchange>`
    select r.id, r.status, r.reviewer_id, r.seller_id,
      r.reviewer_id = any(${members}::uuid[]) as simulated_reviewer,
        r.seller_id = any(${members}::uuid[]) as simulated_seller,
      exists (select from offers o where o.queue_id = r.queue_id and o.state = 'accepted'
        and o.pass_id is not null) as drawn,
      r.draft is not null as has_draft, coalesce(r.usable_from <= clock_timestamp(), false) as usable,
      extract(epoch from clock_timestamp() - r.accepted_at)::float8 as accepted_age,
      coalesce(extract(epoch from clock_timestamp() - r.purchased_at), 0)::float8 as purchased_age,
      coalesce(extract(epoch from clock_timestamp() - r.submitted_at), 0)::float8 as submitted_age,
      coalesce(extract(epoch from clock_timestamp() - r.returned_at), 0)::float8 as returned_age,
      extract(epoch from coalesce(r.return_due_at, r.due_at) - clock_timestamp())::float8 as seconds_left
    from reviews r
    where r.status in ('pending', 'purchased', 'reviewed', 'returned') and r.held_at is null
      and (r.reviewer_id = any(${members}::uuid[]) or r.seller_id = any(${members}::uuid[]))
    order by r.accepted_at desc limit 200`.execute(ctx.db)
  return rows
}

/**
 * Members who cannot get a guest's request: they met within the window, or were asked about this product
 * before.
 */
async function readQueue(ctx: Ctx, members: string[]) {
  const since = windowStart(await readPairWindow(ctx))
  const { rows } = await sql<Waiting>`
    select q.id as queue_id, q.from_guest, q.place, q.age,
      case when q.from_guest then array(
        select t.id from unnest(${members}::uuid[]) as t(id)
        where exists (select from pair_uses u where u.lo = least(t.id, q.seller_id)
          and u.hi = greatest(t.id, q.seller_id)
            and ${pairBars(sql`t.id`, since)})
          or exists (select from review_queue b join offers o on o.queue_id = b.id and o.reviewer_id = t.id
            where b.product_id = q.product_id)
      ) else '{}' end as barred
    from (
      select id, seller_id, product_id, seller_id <> all(${members}::uuid[]) as from_guest,
        row_number() over (order by prio_at, id) as place,
        extract(epoch from clock_timestamp() - created_at)::float8 as age
      from review_queue where status = 'queued'
    ) q order by q.place limit 100`.execute(ctx.db)
  return rows
}
