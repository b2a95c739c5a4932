// Mails as our staff sees them: which, when and how it went. Never their text, their links or their values.
import { sql } from 'kysely'
import type { MailRow } from '#contract/staff/exchanges.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'

type Row = MailRow & { memberId: string }

/** In SQL: the columns of a mail `m`. */
export const mailColumns = sql`m.id, m.template, m.created_at as at, m.sent_at,
  case when exists (select from bounced_addresses b where b.address = lower(m.to_address)
      and b.bounced_at >= m.created_at) then 'bounced'
    when m.sent_at is not null then 'sent' when m.failed_at is not null then 'failed'
    else 'waiting' end as state`

/** The mails to these members whose key names one of these things, oldest first. */
export async function readMails(
  ctx: MemberCtx,
  { memberIds, about }: { memberIds: string[]; about: string[] },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${mailColumns}, m.member_id from mails m
    where m.member_id = any(${memberIds}::uuid[])
      and m.dedupe_key like any(${about.map((id) => `%${id}%`)}::text[])
    order by m.created_at, m.id limit 200`.execute(ctx.db)
  return rows
}
