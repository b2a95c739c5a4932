import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { notifyAll } from '#server/notifications/notices.ts'

/** Notifies our staff that a member tried to connect a listing that another member has connected. */
export async function notifyListingClaimed(ctx: Ctx, claim: { listingId: string; memberId: string }) {
  const { rows } = await sql<{ staffId: string; marketplace: string; listing: string; username: string }>`
    select s.id as staff_id, k.name as marketplace, l.external_id as listing,
      coalesce(m.username, 'a member') as username
    from listings l join marketplaces k on k.id = l.marketplace_id, members m, members s
    where l.id = ${claim.listingId} and m.id = ${claim.memberId} and s.role in ('support', 'admin')
      and s.erased_at is null`.execute(ctx.db)
  await notifyAll(
    ctx,
    rows.map(({ staffId, marketplace, listing, username }) => ({
      memberId: staffId,
      key: `listing.claimed:${claim.listingId}:${claim.memberId}`,
      kind: null,
      notice: {
        title: 'A listing was claimed twice',
        message:
          `${username} tried to connect listing ${listing} on ${marketplace}, which another member has ` +
          'connected. Find out whose it is.',
        priority: 'high',
      },
    })),
  )
}
