// What a member is told: a notice in the inbox, a line in the activity, and a mail where it matters. This file delivers and
// does not decide: the rooms that know what happened say what to tell, in their own `notices.ts`.
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { emit } from '#server/kit/events.ts'
import { queueMail } from '#server/kit/mail.ts'
import type { MailProps } from '#server/kit/mail.ts'

export type Told = {
  memberId: string
  /** The same key is told once, ever: what happened plus the id of what it happened to. */
  key: string
  notice?: {
    title: string
    message: string
    priority: 'high' | 'medium' | 'low'
    action?: { label: string; href: string }
  }
  activity?: {
    type: 'reviews' | 'matching' | 'billing'
    title: string
    description: string
    status: 'success' | 'error' | 'pending' | 'info'
    href?: string
  }
  mail?: { template: string; props: MailProps }
}

/** Tells one member something, in the deed's transaction. Repeating it with the same key tells nothing twice. */
export async function tell(ctx: Ctx, { memberId, key, notice, activity, mail }: Told) {
  if (notice) await addNotice(ctx, memberId, key, notice)
  if (activity) await addActivity(ctx, memberId, key, activity)
  if (mail) await addMail(ctx, memberId, key, mail)
}

async function addNotice(ctx: Ctx, memberId: string, dedupeKey: string, notice: NonNullable<Told['notice']>) {
  const id = newId()
  const added = await ctx.db
    .insertInto('notices')
    .values({
      id,
      memberId,
      dedupeKey,
      title: notice.title,
      message: notice.message,
      priority: notice.priority,
      actionLabel: notice.action?.label ?? null,
      actionHref: notice.action?.href ?? null,
    })
    .onConflict((conflict) => conflict.columns(['memberId', 'dedupeKey']).doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 1n) await emit(ctx, 'notice.created', { noticeId: id }, [memberId])
}

async function addActivity(
  ctx: Ctx,
  memberId: string,
  dedupeKey: string,
  activity: NonNullable<Told['activity']>,
) {
  const { type, title, description, status, href } = activity
  await ctx.db
    .insertInto('activityItems')
    .values({ id: newId(), memberId, dedupeKey, type, title, description, status, href: href ?? null })
    .onConflict((conflict) => conflict.columns(['memberId', 'dedupeKey']).doNothing())
    .execute()
}

async function addMail(ctx: Ctx, memberId: string, key: string, mail: NonNullable<Told['mail']>) {
  const to = await ctx.db
    .selectFrom('members')
    .select(['email', 'username', 'displayName', 'fullName'])
    .where('id', '=', memberId)
    .where('emailVerified', '=', true)
    .where('erasedAt', 'is', null)
    .executeTakeFirst()
  if (!to) return
  const name = to.displayName || to.fullName || to.username || 'there'
  await queueMail(ctx, {
    to: to.email,
    memberId,
    template: mail.template,
    props: { name, ...mail.props },
    dedupeKey: `${memberId}:${key}`,
  })
}
