import type { ActivityItem, Notice } from '#contract/notifications.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { keysetPage, pageOf, readCursor } from '#server/kit/db/db.ts'
import { preparedRead } from '#server/kit/db/prepared.ts'

type NoticeRow = Omit<Notice, 'action'> & { actionLabel: string | null; actionHref: string | null }

const columns = `id, title, message, priority, action_label as "actionLabel", action_href as "actionHref",
  created_at as "createdAt", read_at is null as unread, settled_at is not null as settled`
const firstNotices = preparedRead<NoticeRow>(
  'first-notices',
  `select ${columns} from notices where member_id = $1 order by created_at desc, id desc limit $2`,
)
const nextNotices = preparedRead<NoticeRow>(
  'next-notices',
  `select ${columns} from notices where member_id = $1 and (created_at, id) < ($3::timestamptz, $4::uuid)
   order by created_at desc, id desc limit $2`,
)

/** My notices, newest first. */
export async function listNotices(ctx: MemberCtx, { cursor, limit = 20 }: PageInput): Promise<Page<Notice>> {
  const after = readCursor(cursor)
  const rows = await (after
    ? nextNotices(ctx.db, [ctx.who.id, limit + 1, after.time, after.id])
    : firstNotices(ctx.db, [ctx.who.id, limit + 1]))
  const { items, next } = pageOf(rows, limit, (row) => ({ time: row.createdAt, id: row.id }))
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

/** My activity, newest first, of one type or all. */
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
