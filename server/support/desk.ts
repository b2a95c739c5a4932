// What our staff does with messages. Each change names the version of the thread that the member of staff
// saw, so that of two who answer at once one is refused and reads the other's answer first.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { queueMail } from '#server/kit/mail/mail.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { notify } from '#server/notifications/notices.ts'
import { isReadable, referenceOf } from './support.ts'
import { addEntry } from './threads.ts'

type Seen = { id: string; version: number }
type Changed = { version: number }
type Message = {
  memberId: string | null
  email: string
  subject: string
  via: 'account' | 'contact'
  status: 'open' | 'resolved'
  assignedTo: string | null
}

/**
 * Answers a message by mail and in the writer's account, and resolves it if asked. An unassigned message is
 * then assigned to the caller. Refuses NOT_FOUND, OWN_MATTER, THREAD_CHANGED, THREAD_FULL and FIELDS_MISSING.
 */
export function answerMessage(
  ctx: MemberCtx,
  { id, version, body, resolve }: Seen & { body: string; resolve: boolean },
): Promise<Changed> {
  return inTransaction(ctx, async (ctx) => {
    if (!isReadable(body)) throw refuse('FIELDS_MISSING', { field: 'body' })
    const message = await takeMessage(ctx, id)
    const status = resolve
      ? sql`, status = 'resolved', resolved_at = coalesce(resolved_at, clock_timestamp())`
      : sql``
    const changed = await change(
      ctx,
      { id, version },
      sql`assigned_to = coalesce(assigned_to, ${ctx.who.id})${status}`,
    )
    const entryId = await addEntry(ctx, { messageId: id, kind: 'answer', body })
    await deliver(ctx, message, { id, entryId, body })
    await recordStaffAction(ctx, {
      action: 'support_answered',
      memberId: message.memberId,
      subject: { kind: 'support_message', id },
      before: { status: message.status },
      after: { status: resolve ? 'resolved' : message.status },
    })
    return changed
  })
}

/** Leaves a note that only staff read. Refuses NOT_FOUND, OWN_MATTER, THREAD_FULL and FIELDS_MISSING. */
export function addNote(ctx: MemberCtx, { id, body }: { id: string; body: string }): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    if (!isReadable(body)) throw refuse('FIELDS_MISSING', { field: 'body' })
    const { memberId } = await takeMessage(ctx, id)
    const { rows } = await sql`select from support_messages where id = ${id} for update`.execute(ctx.db)
    if (rows.length === 0) throw refuse('NOT_FOUND')
    await addEntry(ctx, { messageId: id, kind: 'note', body })
    await recordStaffAction(ctx, {
      action: 'support_note_added',
      memberId,
      subject: { kind: 'support_message', id },
    })
  })
}

/** Assigns a message to one of our staff, or to no one. Refuses as `answerMessage`; NOT_FOUND for others. */
export function assignMessage(ctx: MemberCtx, { id, version, to }: Seen & { to: string | null }) {
  return inTransaction(ctx, async (ctx): Promise<Changed> => {
    const message = await takeMessage(ctx, id)
    if (to !== null && !(await isStaff(ctx, to))) throw refuse('NOT_FOUND')
    // Its writer does not answer a message.
    if (to !== null && to === message.memberId) throw refuse('OWN_MATTER')
    const changed = await change(ctx, { id, version }, sql`assigned_to = ${to}::uuid`)
    await record(ctx, 'support_assigned', { id, message }, { assignedTo: to })
    return changed
  })
}

/** Marks an open message as resolved. Refuses NOT_FOUND, OWN_MATTER and THREAD_CHANGED. */
export function resolveMessage(ctx: MemberCtx, { id, version }: Seen): Promise<Changed> {
  return inTransaction(ctx, async (ctx) => {
    const message = await takeMessage(ctx, id)
    const changed = await change(
      ctx,
      { id, version, status: 'open' },
      sql`status = 'resolved', resolved_at = clock_timestamp()`,
    )
    await record(ctx, 'support_resolved', { id, message }, { status: 'resolved' })
    await notifyWriter(ctx, { id, ...message })
    return changed
  })
}

/** Opens a resolved message again. Refuses NOT_FOUND, OWN_MATTER and THREAD_CHANGED. */
export function reopenMessage(ctx: MemberCtx, { id, version }: Seen): Promise<Changed> {
  return inTransaction(ctx, async (ctx) => {
    const message = await takeMessage(ctx, id)
    const changed = await change(
      ctx,
      { id, version, status: 'resolved' },
      sql`status = 'open', resolved_at = null`,
    )
    await record(ctx, 'support_reopened', { id, message }, { status: 'open' })
    await notifyWriter(ctx, { id, ...message })
    return changed
  })
}

/** Refuses OWN_MATTER when the caller wrote the message, also from the contact page under their address. */
export async function refuseOwnMessage(
  ctx: MemberCtx,
  message: { memberId: string | null; email: string },
): Promise<void> {
  await refuseOwnMatter(ctx, [message.memberId])
  const { email } = await ctx.db
    .selectFrom('members')
    .select('email')
    .where('id', '=', ctx.who.id)
    .executeTakeFirstOrThrow()
  if (email.toLowerCase() === message.email.toLowerCase()) throw refuse('OWN_MATTER')
}

/** A message that the caller may act on, under its writer's lock: an erasure waits, or has deleted it. */
async function takeMessage(ctx: MemberCtx, id: string): Promise<Message> {
  const writer = await ctx.db
    .selectFrom('supportMessages')
    .select('memberId')
    .where('id', '=', id)
    .executeTakeFirst()
  if (writer?.memberId) await lockMembers(ctx, [writer.memberId])
  const { rows } = await sql<Message>`
    select member_id, email, subject, via, status, assigned_to from support_messages
    where id = ${id}`.execute(ctx.db)
  const message = rows[0]
  if (!message) throw refuse('NOT_FOUND')
  await refuseOwnMessage(ctx, message)
  return message
}

/** Changes a message that is still as the caller saw it. */
async function change(
  ctx: Ctx,
  { id, version, status }: Seen & { status?: 'open' | 'resolved' },
  values: RawBuilder<unknown>,
): Promise<Changed> {
  const { rows } = await sql<Changed>`
    update support_messages set version = version + 1, ${values}
    where id = ${id} and version = ${version} ${status ? sql`and status = ${status}` : sql``}
    returning version`.execute(ctx.db)
  const changed = rows[0]
  if (!changed) throw refuse('THREAD_CHANGED')
  return changed
}

function record(
  ctx: MemberCtx,
  action: string,
  { id, message }: { id: string; message: Message },
  after: Partial<Pick<Message, 'status' | 'assignedTo'>>,
) {
  const { status, assignedTo } = message
  return recordStaffAction(ctx, {
    action,
    memberId: message.memberId,
    subject: { kind: 'support_message', id },
    before: 'status' in after ? { status } : { assignedTo },
    after,
  })
}

/**
 * The answer in the writer's account, and by mail: to the account's address for a message written there, and
 * otherwise to the address that the message gave.
 */
async function deliver(ctx: Ctx, message: Message, answer: { id: string; entryId: string; body: string }) {
  const { memberId, email, subject, via } = message
  const key = `support-answer:${answer.entryId}`
  const props = { answer: answer.body, reference: referenceOf(answer.id) }
  const mail = { template: 'support-answer', props: { ...props, subject, messageId: answer.id } }
  if (memberId) {
    await notify(ctx, {
      memberId,
      key,
      kind: null,
      notice: {
        title: 'Our staff answered your message',
        message: 'Open it to read the answer and to write back.',
        priority: 'medium',
        action: { label: 'Read answer', href: `/support/${answer.id}` },
      },
      ...(via === 'account' ? { mail } : {}),
    })
    await notifyWriter(ctx, { id: answer.id, memberId })
  }
  if (via === 'contact')
    await queueMail(ctx, { to: email, memberId, template: 'support-answer', props, dedupeKey: key })
}

async function notifyWriter(ctx: Ctx, { id, memberId }: { id: string; memberId: string | null }) {
  if (memberId) await emit(ctx, 'support.changed', { messageId: id }, [memberId])
}

async function isStaff(ctx: Ctx, id: string) {
  const { rows } = await sql`select from members where id = ${id} and role in ('support', 'admin')
    and erased_at is null`.execute(ctx.db)
  return rows.length === 1
}
