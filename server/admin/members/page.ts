// Everything about one member on one screen. Staff never open their own: it would show
// who reviewed them.
import { sql } from 'kysely'
import { givenReasons } from '#contract/ledger.ts'
import { canReceiveOffer } from '#contract/matching.ts'
import { canTakePart } from '#contract/membership.ts'
import type { StandingFacts } from '#contract/membership.ts'
import type { MemberPage } from '#contract/staff/member-page.ts'
import { aliveSession } from '#server/accounts/authenticate.ts'
import { describeDevice } from '#server/accounts/device-names.ts'
import { actAs } from '#server/kit/ctx.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { oneOf } from '#server/kit/db/conditions.ts'
import { startOfToday } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordLook } from '#server/kit/staff-actions.ts'
import { readReceiveFacts } from '#server/matching/facts.ts'
import { ofOneIdentity } from '#server/members/one-person.ts'
import { standingFacts } from '#server/membership/standings.ts'
import { myAccounts, refuseOwnMatter } from '#server/members/own-matters.ts'
import { countFromBefore } from '#server/reviews/strikes.ts'
import { nameOf } from '../exchanges/rows.ts'

/** A member who has not left, by id. Refuses OWN_MATTER and NOT_FOUND. The look is recorded. */
export async function getMemberPage(ctx: MemberCtx, { id }: { id: string }): Promise<MemberPage> {
  await refuseOwnMatter(ctx, [id])
  const row = await readAccount(ctx, id)
  await recordLook(ctx, { action: 'member_viewed', memberId: id, subject: { kind: 'member', id } })
  const { facts, suspendedAt, suspendedUntil, suspensionReason, ...account } = row
  const { cooldownUntil, declinesToday, source, ...member } = account
  return {
    ...member,
    membership: { ...member.membership, source: ctx.who.role === 'admin' ? source : null },
    standing: { ...(await standingOf(ctx, id, facts)), cooldownUntil, declinesToday },
    suspension:
      facts.suspended && suspendedAt
        ? { since: suspendedAt, until: suspendedUntil, reason: suspensionReason ?? 'Three missed reviews.' }
        : null,
    ...(await readParts(ctx, id)),
  }
}

type Account = Omit<MemberPage, 'standing' | 'suspension' | keyof Parts> & {
  facts: StandingFacts
  source: MemberPage['membership']['source']
  suspendedAt: string | null
  suspendedUntil: string | null
  suspensionReason: string | null
  cooldownUntil: string | null
  declinesToday: number
}

async function readAccount(ctx: MemberCtx, id: string): Promise<Account> {
  const { rows } = await sql<Omit<Account, 'facts' | 'membership' | 'balance' | 'counts'> & Flat>`
    select m.id, m.email, m.display_name, m.full_name, m.avatar_key as avatar, m.role,
      m.two_factor_enabled as two_factor, m.locale, m.time_zone, m.created_at, s.last_seen_at,
      exists (select from bounced_addresses b where b.address = lower(m.email)) as email_bounced,
      ${standingFacts}, t.membership_state as state, b.source, b.current_period_end,
      case when b.paused_until > clock_timestamp() then b.paused_until end as paused_until,
      case when t.membership_state in ('paused', 'cancelled') then b.ends_at end as ends_at,
      case when t.membership_state = 'past_due' then b.grace_until end as grace_until,
      m.suspended_at, m.suspended_until, m.suspension_reason,
      case when s.cooldown_until > clock_timestamp() then s.cooldown_until end as cooldown_until,
      (select count(*) from decline_history d where d.reviewer_id = m.id and d.counted
        and d.created_at >= ${startOfToday}) as declines_today,
      coalesce(s.balance, 0) as balance, coalesce(s.pending_give, 0) as pending_give,
      coalesce(s.pending_take, 0) as pending_take, coalesce(s.open_requests, 0) as open_requests,
      (select count(*) from ledger_entries l
        where l.member_id = m.id and l.reason in ${oneOf(givenReasons)}) as given,
      (select count(*) from ledger_entries l where l.member_id = m.id and l.reason = 'received') as received,
      (select count(*) from products p where p.seller_id = m.id and p.deleted_at is null) as products,
      (select count(*) from review_queue q where q.seller_id = m.id) as requests,
      (select count(*) from offers o where o.reviewer_id = m.id) as offers,
      (select count(*) from reviews r where r.reviewer_id = m.id) as reviews
    from members m join standings t on t.member_id = m.id left join memberships b on b.member_id = m.id
    left join reviewer_states s on s.member_id = m.id
    where m.id = ${id} and m.erased_at is null`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw refuse('NOT_FOUND')
  const { erased, suspended, membershipActive, paused, ...flat } = row
  const { state, currentPeriodEnd, pausedUntil, endsAt, graceUntil, ...counted } = flat
  const { balance, given, received, pendingGive, pendingTake, openRequests, ...more } = counted
  const { products, requests, offers, reviews, ...account } = more
  const { emailVerified, username } = account
  return {
    ...account,
    facts: { erased, emailVerified, username, suspended, membershipActive, paused },
    membership: { state, source: null, currentPeriodEnd, pausedUntil, endsAt, graceUntil },
    balance: { balance, given, received, pendingGive, pendingTake, openRequests },
    counts: { products, requests, offers, reviews },
  }
}

type Flat = StandingFacts &
  Omit<MemberPage['membership'], 'source'> &
  MemberPage['balance'] &
  MemberPage['counts']

/** The same predicates that decide in the product, for this member. */
async function standingOf(ctx: MemberCtx, id: string, facts: StandingFacts) {
  const may = canTakePart(facts)
  if (may !== true) return { takesPart: false, whyNot: may, whyNoOffer: may }
  const member = actAs(ctx, { role: 'user', id, sessionId: null, twoFactor: false } as const)
  const received = await readReceiveFacts(member)
  const offer = received ? canReceiveOffer(received) : 'EMAIL_UNVERIFIED'
  return { takesPart: true, whyNot: null, whyNoOffer: offer === true ? null : offer }
}

type Parts = Pick<
  MemberPage,
  'strikes' | 'fromBefore' | 'otherAccounts' | 'devices' | 'notes' | 'reports' | 'shops' | 'declarations'
>

async function readParts(ctx: MemberCtx, id: string): Promise<Parts> {
  const strikes = await sql<Parts['strikes'][number]>`
    select x.id, x.created_at as at, r.queue_id as exchange_id, x.withdrawn_at is not null as withdrawn
    from strikes x left join reviews r on r.id = x.review_id
    where x.member_id = ${id} and (r.id is null or r.seller_id not in ${myAccounts(ctx)})
    order by x.created_at desc, x.id limit 100`.execute(ctx.db)
  const sessions = await sql<Omit<Parts['devices'][number], 'label'> & { userAgent: string | null }>`
    select s.id, s.user_agent, nullif(s.ip_address, '') as address,
      s.created_at as signed_in_at, s.last_seen_at
    from sessions s join members m on m.id = s.member_id
    where s.member_id = ${id} and ${sql.raw(aliveSession)}
    order by s.last_seen_at desc, s.id limit 100`.execute(ctx.db)
  const notes = await sql<Parts['notes'][number]>`
    select n.id, n.created_at as at, ${nameOf('m')} as author, n.text
    from member_notes n join members m on m.id = n.author_id
    where n.member_id = ${id} order by n.created_at desc, n.id desc limit 200`.execute(ctx.db)
  const reports = await sql<Parts['reports'][number]>`
    select x.id, x.created_at as at, c.id as case_id, x.reason,
      case when x.reporter_id = ${id} then 'made' else 'about' end as side,
      case when x.withdrawn_at is not null then 'withdrawn' else c.state end as state
    from reports x join cases c on c.id = x.case_id
    where (x.reporter_id = ${id} or c.member_id = ${id})
      and not exists (select from ${myAccounts(ctx)} me where me.id in (x.reporter_id, c.member_id))
    order by x.created_at desc, x.id limit 100`.execute(ctx.db)
  const others = await sql<Parts['otherAccounts'][number]>`
    select distinct m.id, ${nameOf('m')} as name, m.suspended_at is not null as suspended
    from ${ofOneIdentity} join members m on m.id = b.member_id and m.erased_at is null
    where a.member_id = ${id} and m.id <> ${id}
    order by m.id limit 100`.execute(ctx.db)
  return {
    strikes: strikes.rows,
    otherAccounts: others.rows,
    fromBefore: await countFromBefore(ctx, id),
    devices: sessions.rows.map(({ userAgent, ...device }) => ({
      ...device,
      label: describeDevice(userAgent ?? '').label,
    })),
    notes: notes.rows,
    reports: reports.rows,
    ...(await readOrganization(ctx, id)),
  }
}

/** Shops and declarations. Staff who are members see nothing that is about themselves. */
async function readOrganization(ctx: MemberCtx, id: string): Promise<Pick<Parts, 'shops' | 'declarations'>> {
  const shops = await sql<Parts['shops'][number]>`
    select s.id, s.name, s.address from shops s where s.member_id = ${id} order by s.address`.execute(ctx.db)
  const declarations = await sql<Parts['declarations'][number]>`
    select d.id, d.created_at as at, d.kind,
      case when d.member_id = ${id} then 'made' else 'about' end as side,
      case when d.member_id = ${id} then d.named_as else ${nameOf('m')} end as other, d.ends_at, d.answer
    from declarations d join members m on m.id = d.member_id
    where ${id} in (d.member_id, d.about_member_id)
      and not exists (select from ${myAccounts(ctx)} me where me.id in (d.member_id, d.about_member_id))
      and not exists (select from shops s where s.member_id in ${myAccounts(ctx)} and s.address = d.address)
      and not exists (select from products p join listings l on l.id = p.listing_id
        where p.seller_id in ${myAccounts(ctx)}
          and l.marketplace_id = d.marketplace_id and l.external_id = d.listing)
    order by d.created_at desc, d.id limit 100`.execute(ctx.db)
  return { shops: shops.rows, declarations: declarations.rows }
}
