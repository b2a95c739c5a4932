// What waits for the demo's staff: messages from members and visitors, a policy to read again, a mail that
// did not leave, and their second factor, which /dev/staff shows.
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Config } from '#server/kit/config.ts'
import { newId } from '#server/kit/ctx.ts'
import { giveSecondFactor } from '#server/sign-in/demo-second-factors.ts'

type Message = {
  /** A member's username, or the name and address of a visitor. */
  from: string | { name: string; email: string }
  category: 'account' | 'exchange' | 'product' | 'billing' | 'other'
  subject: string
  message: string
  hoursAgo: number
  /** What staff wrote to each other about it. */
  note?: string
}

const messages: Message[] = [
  {
    from: 'anna',
    category: 'exchange',
    subject: 'My coupon ran out during a review',
    message:
      'The coupon on my marketplace expired last night, and a member may be about to buy. I have made a ' +
      'new one with the same price. Can you put it into the link for me?',
    hoursAgo: 3,
  },
  {
    from: 'ben',
    category: 'product',
    subject: 'Two formats for one product',
    message:
      'My planner comes as a PDF and as a spreadsheet. Which format should I choose, so that members who ' +
      'can open only one of them still get the offer?',
    hoursAgo: 7,
  },
  {
    from: 'clara',
    category: 'account',
    subject: 'A pause in December',
    message:
      'I am away from December 12 to January 4. Please pause my membership for that time. I finish the ' +
      'review that I have accepted before I leave.',
    hoursAgo: 20,
    note: 'Asked her whether the pause may be 24 days; the longest is 30. She wants to think about it.',
  },
  {
    from: { name: 'Ines Okafor', email: 'ines@papertrail.example' },
    category: 'other',
    subject: 'Is my shop a fit?',
    message:
      'I sell sewing patterns as PDF files on two marketplaces. Can I join with one of them, and what do ' +
      'I have to say in the reviews that I write?',
    hoursAgo: 26,
  },
  {
    from: { name: 'Tom', email: 'tom@studio-nord.example' },
    category: 'billing',
    subject: 'Invoice for my accountant',
    message: 'I was a member in the spring. Where do I find the invoices of those months?',
    hoursAgo: 41,
  },
]

/** Fills the morning. The second factors need the secret of the demo, so they are left out without it. */
export async function addStaffMorning(db: Kysely<DB>, config: Config | null) {
  for (const message of messages) await addMessage(db, message)
  await addFailedMail(db)
  await sql`update marketplaces set read_on = current_date - 93, next_check_on = current_date - 3`.execute(db)
  if (!config) return
  const staff = await db.selectFrom('members').select('id').where('role', '<>', 'user').execute()
  for (const { id } of staff) await giveSecondFactor({ db, config }, id)
}

async function addMessage(db: Kysely<DB>, { from, hoursAgo, note, ...message }: Message) {
  const at = sql<string>`clock_timestamp() - make_interval(hours => ${hoursAgo})`
  const member =
    typeof from === 'string'
      ? await db
          .selectFrom('members')
          .select(['id', 'email', 'fullName'])
          .where('username', '=', from)
          .executeTakeFirstOrThrow()
      : null
  const visitor = typeof from === 'string' ? null : from
  const id = newId()
  const assigned = note === undefined ? null : await memberId(db, 'sam')
  await db
    .insertInto('supportMessages')
    .values({
      id,
      ...message,
      memberId: member?.id ?? null,
      name: visitor?.name ?? member?.fullName ?? '',
      email: visitor?.email ?? member?.email ?? '',
      via: member ? 'account' : 'contact',
      assignedTo: assigned,
      createdAt: at,
    })
    .execute()
  if (note === undefined || assigned === null) return
  await db
    .insertInto('supportEntries')
    .values({
      id: newId(),
      messageId: id,
      kind: 'note',
      authorId: assigned,
      body: note,
      createdAt: sql<string>`clock_timestamp() - make_interval(hours => ${hoursAgo - 2})`,
    })
    .execute()
}

/** A mail about a verified review, whose mailbox did not take it for a day. */
async function addFailedMail(db: Kysely<DB>) {
  await sql`
    insert into mails (id, dedupe_key, member_id, to_address, template, props, attempts, error, created_at,
      next_try_at, failed_at)
    select ${newId()}, 'demo:failed', m.id, m.email, 'review-given',
      jsonb_build_object('name', m.display_name, 'locale', m.locale, 'timeZone', m.time_zone,
        'unsubscribe', null, 'reviewId', r.id, 'product', p.title),
      14, '452 4.2.2 The mailbox is full', clock_timestamp() - interval '30 hours',
      clock_timestamp() - interval '6 hours', clock_timestamp() - interval '6 hours'
    from reviews r join members m on m.id = r.reviewer_id join products p on p.id = r.product_id
    where r.status = 'verified' order by r.verified_at desc limit 1`.execute(db)
}

async function memberId(db: Kysely<DB>, username: string) {
  const { id } = await db
    .selectFrom('members')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return id
}
