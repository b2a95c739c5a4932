import { sql } from 'kysely'
import type { ActivityItem, Notice } from '#contract/notifications.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { keysetPage, pageOf, readCursor } from '#server/kit/db/db.ts'
import { preparedRead } from '#server/kit/db/prepared.ts'

type NoticeRow = Omit<Notice, 'action'> & { actionLabel: string | null; actionHref: string | null }

// The key of a notice holds the id of what it is about; an offer that was accepted is about its review.
// Notices with one hash belong together.
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const about = `left(md5(member_id::text || coalesce(
    case when dedupe_key like 'offer.%' then (
      select r.id::text from offers o
        join reviews r on r.queue_id = o.queue_id and r.reviewer_id = o.reviewer_id
      where o.id = substring(dedupe_key from '${uuid}')::uuid and o.reviewer_id = notices.member_id) end,
    substring(dedupe_key from '${uuid}'), dedupe_key)), 16) as about`
const columns = `id, title, message, priority, action_label as "actionLabel", action_href as "actionHref",
  ${about},
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

/** Each template that I got in the last `retention.mailDays`, and when the last such mail was sent. */
export async function listMyMails(ctx: MemberCtx): Promise<{ template: string; sentAt: string }[]> {
  const { rows } = await sql<{ template: string; sentAt: string }>`
    select template, max(sent_at) as sent_at from mails
    where member_id = ${ctx.who.id} and sent_at is not null group by template order by template`.execute(
    ctx.db,
  )
  return rows
}
