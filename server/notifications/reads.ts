import { sql } from 'kysely'
import type { ActivityItem, Notice } from '#contract/notifications.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { keysetPage } from '#server/kit/db/db.ts'

/** What I was told, newest first. */
export async function listNotices(ctx: MemberCtx, input: PageInput): Promise<Page<Notice>> {
  const query = ctx.db
    .selectFrom('notices')
    .select(['id', 'title', 'message', 'priority', 'actionLabel', 'actionHref', 'createdAt'])
    .select(sql<boolean>`read_at is null`.as('unread'))
    .where('memberId', '=', ctx.who.id)
  const { items, next } = await keysetPage(
    query,
    { time: 'notices.createdAt', id: 'notices.id', place: (row) => ({ time: row.createdAt, id: row.id }) },
    input,
  )
  return {
    items: items.map(({ actionLabel, actionHref, ...notice }) => ({
      ...notice,
      action: actionOf(actionLabel, actionHref),
    })),
    next,
  }
}

function actionOf(label: string | null, href: string | null) {
  return label && href ? { label, href } : null
}

/** What happened around me, newest first; of one type, or of all. */
export function listActivity(
  ctx: MemberCtx,
  { type, ...input }: PageInput & { type?: ActivityItem['type'] | undefined },
): Promise<Page<ActivityItem>> {
  const query = ctx.db
    .selectFrom('activityItems')
    .select(['id', 'type', 'title', 'description', 'status', 'href', 'createdAt'])
    .where('memberId', '=', ctx.who.id)
    .$if(type !== undefined, (of) => of.where('type', '=', type ?? 'reviews'))
  return keysetPage(
    query,
    {
      time: 'activityItems.createdAt',
      id: 'activityItems.id',
      place: (row) => ({ time: row.createdAt, id: row.id }),
    },
    input,
  )
}
