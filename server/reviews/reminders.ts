// Reminders for the reviewer before a deadline: to buy, to submit, to answer. Each is sent once for a
// deadline, from which its time counts back, and again for one that staff extended. A reminder that was
// missed because no job ran is skipped when a later one is already due.
import { sql } from 'kysely'
import { purchaseHours, reviewHours } from '#contract/matching-rules.ts'
import { lastReminderHours, reminderHours } from '#contract/reviews.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { notifyReminder } from './notices.ts'
import type { Parties } from './parties.ts'
import type { Reminder } from './reminder-titles.ts'

/** Sends every reminder that is due now. A repeated run sends nothing twice. */
export async function remindReviewers(ctx: Ctx) {
  const due = await findDue(ctx)
  await eachByItself(ctx, due, failing, ({ id }) =>
    inTransaction(ctx, async (ctx) => {
      // A review submitted a moment ago needs no reminder.
      for (const { reminder, key, ...review } of await findDue(ctx, id))
        await notifyReminder(ctx, review, { reminder, key })
    }),
  )
}

const failing = {
  failure: 'a reminder could not be sent',
  about: ({ id }: Parties) => ({ reviewId: id }),
}

const [firstHours, secondHours] = reminderHours

async function findDue(ctx: Ctx, reviewId: string | null = null) {
  const { rows } = await sql<Parties & { reminder: Reminder; key: string }>`
    select r.id, r.queue_id, r.product_id, r.reviewer_id, r.seller_id, due.reminder, due.key
    from reviews r cross join lateral (
      select case
        when r.status = 'returned' then case when r.return_due_at <= ${fromNow(lastReminderHours)}
          then 'answer-last' end
        when r.due_at <= ${fromNow(lastReminderHours)} then 'write-last'
        when r.status = 'pending' then case
          when r.purchase_due_at <= clock_timestamp() then 'buy-late'
          when r.purchase_due_at <= ${fromNow(secondHours)} then 'buy-60'
          when r.purchase_due_at <= ${fromNow(firstHours)} then 'buy-24' end
        end as reminder
    ) next cross join lateral (
      select next.reminder, concat('review.reminder:', next.reminder, case
        when next.reminder like 'buy-%' then ${extension('r.purchase_due_at', purchaseHours)}
        when next.reminder = 'write-last' then ${extension('r.due_at', reviewHours)}
        -- A review may be returned twice.
        else '-' || extract(epoch from r.return_due_at)::bigint end, ':', r.id) as key
    ) due
    where (r.status in ('pending', 'purchased') and r.due_at > clock_timestamp()
        or r.status = 'returned' and r.return_due_at > clock_timestamp())
      and r.id = coalesce(${reviewId}, r.id) and due.reminder is not null
      and not exists (
        select from activity_items where member_id = r.reviewer_id and dedupe_key = due.key)
    order by r.id limit 1000`.execute(ctx.db)
  return rows
}

/** In SQL: marks a deadline that is later than that of the acceptance, so that it is reminded of again. */
function extension(column: 'r.purchase_due_at' | 'r.due_at', hours: number) {
  const due = sql.ref(column)
  return sql`case when ${due} > r.accepted_at + make_interval(hours => ${hours}, mins => 1)
    then '-' || extract(epoch from ${due})::bigint end`
}

function fromNow(hours: number) {
  return sql`clock_timestamp() + make_interval(hours => ${hours})`
}
