// What should never be at the payment partner. Our staff looks at it there.
import type { Ctx } from '#server/kit/ctx.ts'
import { databaseNow } from '#server/kit/db/db.ts'
import { notifyAdmins } from '#server/notifications/admins.ts'

type Alarm = 'foreign' | 'price' | 'unpaid' | 'second' | 'gone'

const sentences: Record<Alarm, string> = {
  foreign: 'A customer has a subscription that does not name its member. It counts for nothing.',
  price: 'A member has a subscription at another price than ours. It counts for nothing.',
  unpaid: 'A member has a running subscription that was never paid. It counts for nothing.',
  second: 'A member had two subscriptions. The second one is ended and its payments are given back.',
  gone: 'Our payment partner does not know the customer of a member.',
}

/** Writes an error to the log and notifies the admins, once a day for a member and a cause. */
export async function alarm(ctx: Ctx, memberId: string, about: Alarm): Promise<void> {
  ctx.log.error({ memberId, about }, 'a subscription at the payment partner needs a look')
  const day = (await databaseNow(ctx)).slice(0, 10)
  await notifyAdmins(ctx, {
    key: `payment.alarm:${about}:${memberId}:${day}`,
    title: 'A subscription needs a look',
    message: sentences[about],
    action: { label: 'Open the member', href: `/admin/users/${memberId}` },
  })
}
