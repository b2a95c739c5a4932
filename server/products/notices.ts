import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { findStaff } from '#server/members/own-matters.ts'
import { notifyAll } from '#server/notifications/notices.ts'

/**
 * Notifies our staff that a member tried to connect a listing that another member has connected, but not
 * those who are one of the two.
 */
export async function notifyListingClaimed(
  ctx: Ctx,
  claim: { listingId: string; memberId: string; productId: string },
) {
  const { rows } = await sql<{ marketplace: string; listing: string; username: string; holderId: string }>`
    select k.name as marketplace, l.external_id as listing, coalesce(m.username, 'a member') as username,
      p.seller_id as holder_id
    from listings l join marketplaces k on k.id = l.marketplace_id, members m, products p
    where l.id = ${claim.listingId} and m.id = ${claim.memberId} and p.id = ${claim.productId}`.execute(
    ctx.db,
  )
  const [found] = rows
  if (!found) return
  const { marketplace, listing, username, holderId } = found
  const staff = await findStaff(ctx, { but: [claim.memberId, holderId] })
  await notifyAll(
    ctx,
    staff.map((staffId) => ({
      memberId: staffId,
      key: `listing.claimed:${claim.productId}:${claim.memberId}`,
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

/** Notifies a seller without a membership that a member connected the listing of their product. */
export async function notifyGaveWay(
  ctx: Ctx,
  given: { listingId: string; memberId: string; productId: string },
) {
  const { rows } = await sql<{ marketplace: string; listing: string; title: string }>`
    select k.name as marketplace, l.external_id as listing, p.title
    from listings l join marketplaces k on k.id = l.marketplace_id, products p
    where l.id = ${given.listingId} and p.id = ${given.productId}`.execute(ctx.db)
  await notifyAll(
    ctx,
    rows.map(({ marketplace, listing, title }) => ({
      memberId: given.memberId,
      key: `listing.gave-way:${given.productId}`,
      kind: null,
      notice: {
        title: 'Another member connected your listing',
        message:
          `A member connected listing ${listing} on ${marketplace}, so “${title}” is no longer one of your ` +
          'products. A listing is kept for you once you have a membership. If it’s yours, write to Support.',
        priority: 'high',
        action: { label: 'Contact Support', href: '/support' },
      },
    })),
  )
}

/**
 * Notifies the members who tried to connect a listing that they can, now that its former seller is barred
 * from it.
 */
export async function notifyListingFree(ctx: Ctx, freed: { listingId: string; barredAt: string }) {
  const { rows } = await sql<{ memberId: string; marketplace: string; listing: string }>`
    select c.member_id, k.name as marketplace, l.external_id as listing
    from listing_claims c join listings l on l.id = c.listing_id
    join marketplaces k on k.id = l.marketplace_id
    where c.listing_id = ${freed.listingId} and not exists (select from barred_sellers b
      where b.listing_id = c.listing_id and b.member_id = c.member_id)`.execute(ctx.db)
  await notifyAll(
    ctx,
    rows.map(({ memberId, marketplace, listing }) => ({
      memberId,
      key: `listing.free:${freed.listingId}:${freed.barredAt}`,
      kind: null,
      notice: {
        title: 'You can connect your listing',
        message:
          `Listing ${listing} on ${marketplace} is no longer connected by another member. If it’s yours, ` +
          'add it to your products.',
        priority: 'high',
        action: { label: 'My products', href: '/assets' },
      },
    })),
  )
}

type AboutClosure = { closureId: string; what: 'closed' | 'reopened' }

/** Notifies sellers that a marketplace was closed or reopened, and what that does to their requests. */
export async function notifySellers(
  ctx: Ctx,
  { closureId, what }: AboutClosure,
  sellers: { sellerId: string; held: number }[],
) {
  const closure = await ctx.db
    .selectFrom('marketplaceClosures as c')
    .innerJoin('marketplaces as k', 'k.id', 'c.marketplaceId')
    .select(['k.name', 'c.reason'])
    .where('c.id', '=', closureId)
    .executeTakeFirst()
  if (!closure) return
  const { name, reason } = closure
  await notifyAll(
    ctx,
    sellers.map(({ sellerId, held }) => {
      const requests = held === 1 ? 'Your open request' : `Your ${held} open requests`
      const title = what === 'closed' ? `${name} is closed for now` : `${name} is open again`
      const message =
        what === 'closed'
          ? `No products of ${name} are offered for review and none can be connected. ` +
            (held
              ? `${requests} ${held === 1 ? 'waits and keeps its place' : 'wait and keep their places'}. `
              : '') +
            `Why: ${reason}`
          : `Products of ${name} are offered for review again. ` +
            (held ? `${requests} ${held === 1 ? 'is back in its place' : 'are back in their places'}.` : '')
      return {
        memberId: sellerId,
        key: `marketplace.${what}:${closureId}`,
        kind: null,
        notice: {
          title,
          message: message.trim(),
          priority: 'high' as const,
          action: { label: 'My products', href: '/assets' },
        },
        activity: {
          type: 'matching' as const,
          title,
          description: message.trim(),
          status: 'info' as const,
          href: '/assets',
        },
        mail: {
          template: what === 'closed' ? 'marketplace-closed' : 'marketplace-reopened',
          props: { marketplace: name, reason, held },
        },
      }
    }),
  )
}
