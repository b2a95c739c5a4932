// The messages as our staff reads them: the list with its filters, and a thread with its writer beside it.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type {
  Colleague,
  MessageFilter,
  MessageRow,
  Thread,
  ThreadEntry,
} from '#contract/staff/support-desk.ts'
import type { Tally } from '#contract/staff/lists.ts'
import { longestThread } from '#contract/support.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { afterCursor, containing } from '#server/kit/db/conditions.ts'
import { pageOf } from '#server/kit/db/db.ts'
import { countRows, countTable } from '#server/kit/db/tallies.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordListLook, recordLook } from '#server/kit/staff-actions.ts'
import { refuseOwnMessage } from './desk.ts'
import { referenceOf } from './support.ts'

type ListInput = PageInput & MessageFilter
/** A message with its whole text. */
type WholeMessage = Omit<MessageRow, 'excerpt'> & { message: string; resolvedAt: string | null }
type MessagePage = Page<MessageRow> & { matching: Tally; total: Tally }

/** The messages that a filter finds (email, name, subject or message), by date, and how many there are. */
export async function listMessages(ctx: MemberCtx, input: ListInput): Promise<MessagePage> {
  await recordListLook(ctx, 'support_listed')
  const { items, next } = await readMessages(ctx, input)
  return {
    items: items.map(({ message, ...row }) => ({ ...row, excerpt: message.slice(0, 200) })),
    next,
    matching: await countRows(
      ctx,
      sql`support_messages m left join members s on ${assignee}`,
      matchesFilter(ctx, input),
    ),
    total: await countTable(ctx, 'support_messages'),
  }
}

/** One page of the messages that a filter finds. */
export async function readMessages(
  ctx: MemberCtx,
  { cursor, limit = 50, order = 'newest', ...filter }: ListInput,
): Promise<Page<WholeMessage>> {
  const direction = order === 'newest' ? sql`desc` : sql`asc`
  const place = afterCursor(cursor, sql`m.created_at, m.id`, order)
  const { rows } = await sql<WholeMessage>`
    select m.id, m.name, m.email, m.subject, m.message, m.status, m.version, m.created_at, m.resolved_at,
      ${colleagueOf} as assigned_to
    from support_messages m left join members s on ${assignee}
    where ${matchesFilter(ctx, filter)} and ${place}
    order by m.created_at ${direction}, m.id ${direction} limit ${limit + 1}`.execute(ctx.db)
  return pageOf(rows, limit, ({ createdAt, id }) => ({ time: createdAt, id }))
}

/** In SQL: whether a filter finds the message of the row `m`, with its assignee in `s`. */
function matchesFilter(ctx: MemberCtx, { search = '', status, assigned }: MessageFilter) {
  const words = search.trim()
  const pattern = containing(words)
  const conditions: RawBuilder<unknown>[] = [
    words
      ? sql`(lower(m.email) like ${pattern} or lower(m.name) like ${pattern}
          or lower(m.subject) like ${pattern} or lower(m.message) like ${pattern})`
      : sql`true`,
  ]
  if (status) conditions.push(sql`m.status = ${status}`)
  if (assigned === 'me') conditions.push(sql`s.id = ${ctx.who.id}`)
  if (assigned === 'no_one') conditions.push(sql`s.id is null`)
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

// A message that is assigned to a former colleague is assigned to no one.
const assignee = sql`s.id = m.assigned_to and s.role in ('support', 'admin') and s.erased_at is null`
const staffName = sql`coalesce(s.username, nullif(s.display_name, ''), s.full_name, 'Staff')`
const colleagueOf = sql`case when s.id is not null
  then jsonb_build_object('id', s.id, 'name', ${staffName}) end`

/**
 * A message with all that followed, its writer, and who may be assigned. Records the look. Refuses NOT_FOUND,
 * and OWN_MATTER for the caller's own message.
 */
export async function getThread(ctx: MemberCtx, id: string): Promise<Thread> {
  const { rows } = await sql<ThreadRow>`
    select m.id, m.member_id, m.name, m.email, m.category, m.subject, m.message, m.status, m.via, m.version,
      m.created_at, m.resolved_at, ${colleagueOf} as assigned_to,
      case when m.via = 'account' then w.email else m.email end as answers_to,
      exists (select from bounced_addresses b
        where b.address = lower(case when m.via = 'account' then w.email else m.email end)) as bounced
    from support_messages m left join members s on ${assignee} left join members w on w.id = m.member_id
    where m.id = ${id}`.execute(ctx.db)
  const found = rows[0]
  if (!found) throw refuse('NOT_FOUND')
  await refuseOwnMessage(ctx, found)
  const { memberId, ...message } = found
  await recordLook(ctx, { action: 'support_viewed', memberId, subject: { kind: 'support_message', id } })
  return {
    ...message,
    reference: referenceOf(id),
    entries: await readEntries(ctx, found),
    writer: memberId ? await readWriter(ctx, memberId) : null,
    earlier: await readEarlier(ctx, found),
    colleagues: await listColleagues(ctx, memberId),
  }
}

type ThreadRow = Omit<Thread, 'reference' | 'entries' | 'writer' | 'earlier' | 'colleagues'> & {
  memberId: string | null
}

async function readEntries(ctx: MemberCtx, message: ThreadRow): Promise<ThreadEntry[]> {
  const { rows } = await sql<ThreadEntry>`
    select e.id, e.kind, e.author_id = ${ctx.who.id} as mine, e.body, e.created_at,
      case when s.erased_at is not null then 'Former staff'
        when e.kind = 'reply' then ${message.name} else ${staffName} end as author,
      case when e.kind <> 'answer' then null when mail.id is null then 'unsure'
        when mail.failed_at is not null then 'failed' when mail.sent_at is not null then 'sent'
        else 'waiting' end as delivery
    from support_entries e join members s on s.id = e.author_id
      left join mails mail on mail.dedupe_key in ('support-answer:' || e.id,
        ${message.memberId ?? ''} || ':support-answer:' || e.id)
    where e.message_id = ${message.id} order by e.created_at, e.id limit ${longestThread}`.execute(ctx.db)
  return rows
}

async function readWriter(ctx: Ctx, memberId: string): Promise<Thread['writer']> {
  const { rows } = await sql<NonNullable<Thread['writer']>>`
    select p.id, coalesce(nullif(p.display_name, ''), p.full_name, p.username, 'Account') as name,
      p.username, p.email, p.created_at as joined_at,
      t.membership_state as membership, t.paused, t.suspended,
      case when r.member_id is not null then t.standing end as standing,
      (select count(*)::int from review_queue q where q.seller_id = p.id
        and q.status in ('queued', 'held', 'offered', 'in_review')) as open_requests,
      (select count(*)::int from reviews v where v.reviewer_id = p.id
        and v.status in ('pending', 'purchased', 'returned')) as reviews_to_write,
      (select count(*)::int from offers o where o.reviewer_id = p.id and o.state = 'open') as open_offers
    from members p join standings t on t.member_id = p.id
      left join reviewer_states r on r.member_id = p.id
    where p.id = ${memberId}`.execute(ctx.db)
  return rows[0] ?? null
}

async function readEarlier(ctx: Ctx, message: ThreadRow): Promise<Thread['earlier']> {
  const same = message.memberId
    ? sql`member_id = ${message.memberId}::uuid`
    : sql`lower(email) = lower(${message.email})`
  const { rows } = await sql<Thread['earlier'][number]>`
    select id, subject, status, created_at from support_messages where ${same} and id <> ${message.id}
    order by created_at desc, id desc limit 10`.execute(ctx.db)
  return rows
}

/** Our staff by name, except the writer, who does not answer their own message. */
async function listColleagues(ctx: Ctx, writerId: string | null): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select s.id, ${staffName} as name from members s
    where s.role in ('support', 'admin') and s.erased_at is null and s.id is distinct from ${writerId}::uuid
    order by 2, 1`.execute(ctx.db)
  return rows
}
