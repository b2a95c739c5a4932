// A message with what followed: answers of our staff, replies of its writer, and notes among the staff. The
// writer reads and continues it in the product; an answer also goes out by mail, which is one way.
import { sql } from 'kysely'
import type { MyMessage, MyThread } from '#contract/support.ts'
import { longestThread } from '#contract/support.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import { inTransaction, lockMembers, pageOf } from '#server/kit/db/db.ts'
import { withoutSecrets } from '#server/kit/hidden-secrets.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { notify } from '#server/notifications/notices.ts'
import { isReadable, referenceOf } from './support.ts'

/** My messages to our staff, newest first. */
export async function listMyMessages(
  ctx: MemberCtx,
  { cursor, limit = 20 }: PageInput,
): Promise<Page<MyMessage>> {
  const place = afterCursor(cursor, sql`m.created_at, m.id`)
  const { rows } = await sql<Omit<MyMessage, 'reference'>>`
    select ${myColumns} from support_messages m where m.member_id = ${ctx.who.id} and ${place}
    order by m.created_at desc, m.id desc limit ${limit + 1}`.execute(ctx.db)
  const found = rows.map((row) => ({ ...row, reference: referenceOf(row.id) }))
  return pageOf(found, limit, ({ createdAt, id }) => ({ time: createdAt, id }))
}

/** One of my messages with the answers to it. Refuses NOT_FOUND. */
export async function getMyMessage(ctx: MemberCtx, id: string): Promise<MyThread> {
  const { rows } = await sql<Omit<MyThread, 'reference' | 'entries'>>`
    select ${myColumns}, m.message from support_messages m
    where m.id = ${id} and m.member_id = ${ctx.who.id}`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw refuse('NOT_FOUND')
  const entries = await sql<MyThread['entries'][number]>`
    select id, kind = 'reply' as mine, body, created_at from support_entries
    where message_id = ${id} and kind <> 'note' order by created_at, id limit ${longestThread}`.execute(
    ctx.db,
  )
  return { ...row, reference: referenceOf(id), entries: entries.rows }
}

const myColumns = sql`m.id, m.subject, m.status, m.created_at,
  (select max(e.created_at) from support_entries e where e.message_id = m.id and e.kind = 'answer')
    as answered_at`

/**
 * Adds to one of my messages, without keys and passwords, and opens it again. Refuses NOT_FOUND,
 * FIELDS_MISSING and THREAD_FULL.
 */
export function replyToAnswer(ctx: MemberCtx, { id, message }: { id: string; message: string }) {
  return inTransaction(ctx, async (ctx) => {
    const body = withoutSecrets(message.trim())
    if (!isReadable(body)) throw refuse('FIELDS_MISSING', { field: 'message' })
    await lockMembers(ctx, [ctx.who.id])
    const { rows } = await sql<{ assignedTo: string | null }>`
      update support_messages set status = 'open', resolved_at = null, version = version + 1
      where id = ${id} and member_id = ${ctx.who.id} returning assigned_to`.execute(ctx.db)
    const changed = rows[0]
    if (!changed) throw refuse('NOT_FOUND')
    const entryId = await addEntry(ctx, { messageId: id, kind: 'reply', body })
    if (changed.assignedTo) await notifyAssignee(ctx, { id, entryId, assignee: changed.assignedTo })
    await emit(ctx, 'support.changed', { messageId: id }, [ctx.who.id])
  })
}

/** Who answers a message learns that its writer wrote back, unless they have left the staff. */
async function notifyAssignee(ctx: Ctx, about: { id: string; entryId: string; assignee: string }) {
  const { rows } = await sql`select from members where id = ${about.assignee} and erased_at is null
    and role in ('support', 'admin')`.execute(ctx.db)
  if (rows.length === 0) return
  await notify(ctx, {
    memberId: about.assignee,
    key: `support-reply:${about.entryId}`,
    kind: null,
    notice: {
      title: 'The writer of a message wrote back',
      message: 'It is assigned to you and open again.',
      priority: 'medium',
      action: { label: 'Open', href: `/admin/support/${about.id}` },
    },
  })
}

/**
 * Adds an entry by the caller to a thread whose row this transaction has locked. Returns its id. Refuses
 * THREAD_FULL.
 */
export async function addEntry(
  ctx: MemberCtx,
  entry: { messageId: string; kind: 'answer' | 'reply' | 'note'; body: string },
): Promise<string> {
  const { rows } = await sql<{ entries: number }>`select count(*)::int as entries from support_entries
    where message_id = ${entry.messageId}`.execute(ctx.db)
  if ((rows[0]?.entries ?? 0) >= longestThread) throw refuse('THREAD_FULL')
  const id = newId()
  await ctx.db
    .insertInto('supportEntries')
    .values({ id, authorId: ctx.who.id, ...entry })
    .execute()
  return id
}
