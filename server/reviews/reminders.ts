// Reminders for the reviewer before a deadline: to buy, to submit, to answer. Each is sent once, and its time
// counts back from the deadline, which staff may have extended. A reminder that was missed because no job ran
// is skipped when a later one is already due.
import { sql } from 'kysely'
import { purchaseHours } from '#contract/matching-rules.ts'
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
      for (const { reminder, ...review } of await findDue(ctx, id))
        await notifyReminder(ctx, review, reminder)
    }),
  )
}

const failing = {
  failure: 'a reminder could not be sent',
  about: ({ id }: Parties) => ({ reviewId: id }),
}

const [firstHours, secondHours] = reminderHours

async function findDue(ctx: Ctx, reviewId: string | null = null) {
  const { rows } = await sql<Parties & { reminder: Reminder }>`
    select * from (
      select id, queue_id, product_id, reviewer_id, seller_id, case
        when status = 'returned' then case when return_due_at <= ${fromNow(lastReminderHours)}
          then 'answer-last' end
        when due_at <= ${fromNow(lastReminderHours)} then 'write-last'
        when status = 'pending' then case
          when purchase_due_at <= clock_timestamp() then 'buy-late'
          when purchase_due_at <= ${fromNow(purchaseHours - secondHours)} then 'buy-60'
          when purchase_due_at <= ${fromNow(purchaseHours - firstHours)} then 'buy-24' end
        end as reminder
      from reviews
      where (status in ('pending', 'purchased') and due_at > clock_timestamp()
        or status = 'returned' and return_due_at > clock_timestamp())
        and id = coalesce(${reviewId}, id)
    ) due
    where reminder is not null and not exists (
      select from activity_items where member_id = due.reviewer_id
        and dedupe_key = concat('review.reminder:', due.reminder, ':', due.id))
    order by id limit 1000`.execute(ctx.db)
  return rows
}

function fromNow(hours: number) {
  return sql`clock_timestamp() + make_interval(hours => ${hours})`
}
