// Texts that our staff often answer with. They belong to the whole staff.
import { sql } from 'kysely'
import type { SavedReply } from '#contract/staff/support-desk.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, violates } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'

type Text = { title: string; body: string }
const columns = ['id', 'title', 'body', 'changedAt'] as const

/** Every saved reply, by title. */
export function listSavedReplies(ctx: MemberCtx): Promise<SavedReply[]> {
  return ctx.db
    .selectFrom('savedReplies')
    .select(columns)
    .orderBy(sql`lower(title)`)
    .execute()
}

/** Saves a reply. Refuses TITLE_TAKEN. */
export function addSavedReply(ctx: MemberCtx, { title, body }: Text): Promise<SavedReply> {
  return inTransaction(ctx, async (ctx) => {
    const saved = await untaken(() =>
      ctx.db
        .insertInto('savedReplies')
        .values({ id: newId(), title, body })
        .returning(columns)
        .executeTakeFirstOrThrow(),
    )
    await record(ctx, 'saved_reply_added', saved.id, { after: { title } })
    return saved
  })
}

/** Changes a saved reply. Refuses NOT_FOUND and TITLE_TAKEN. */
export function editSavedReply(ctx: MemberCtx, { id, title, body }: Text & { id: string }) {
  return inTransaction(ctx, async (ctx): Promise<SavedReply> => {
    const before = await ctx.db
      .selectFrom('savedReplies')
      .select('title')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw refuse('NOT_FOUND')
    const saved = await untaken(() =>
      ctx.db
        .updateTable('savedReplies')
        .set({ title, body, changedAt: sql`clock_timestamp()` })
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirstOrThrow(),
    )
    await record(ctx, 'saved_reply_changed', id, { before, after: { title } })
    return saved
  })
}

/** Deletes a saved reply. Refuses NOT_FOUND. */
export function deleteSavedReply(ctx: MemberCtx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const deleted = await ctx.db
      .deleteFrom('savedReplies')
      .where('id', '=', id)
      .returning('title')
      .executeTakeFirst()
    if (!deleted) throw refuse('NOT_FOUND')
    await record(ctx, 'saved_reply_deleted', id, { before: deleted })
  })
}

async function untaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (violates(error, 'saved_replies_title')) throw refuse('TITLE_TAKEN', { field: 'title' })
    throw error
  }
}

function record(
  ctx: MemberCtx,
  action: string,
  id: string,
  changes: { before?: { title: string }; after?: { title: string } },
) {
  return recordStaffAction(ctx, { action, subject: { kind: 'saved_reply', id }, ...changes })
}
