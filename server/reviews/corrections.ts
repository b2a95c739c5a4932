// A wrong entry of the ledger is never edited. A correction adds its opposite, and the club, which is no
// member, takes the difference: the sum of the ledger stays zero.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { requireFresh } from '#server/accounts/identity.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers, violates } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { endCarriedIfEven, forgiveCarried } from './ledger/carried-debts.ts'
import { moveFromClub } from './ledger/club-entries.ts'
import { notifyCorrected } from './notices.ts'

type Correction = { memberId: string; entryId: string; reason: string }

/** In SQL: the review of an entry, or of the one that it corrects, however often that was corrected. */
export function reviewOfEntry(entryId: RawBuilder<unknown>) {
  return sql<string | null>`(with recursive up (corrects, review_id) as (
      select x.corrects, x.review_id from ledger_entries x where x.id = ${entryId}
      union all select y.corrects, y.review_id from up join ledger_entries y on y.id = up.corrects
    ) select review_id from up where corrects is null)`
}

/**
 * Corrects one entry of a member, once; a correction may be corrected too. Refuses NOT_FRESH, OWN_MATTER for
 * both sides of the exchange, NOT_FOUND also for members who left, and ALREADY_CORRECTED.
 */
export function correctEntry(ctx: MemberCtx, { memberId, entryId, reason }: Correction): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await requireFresh(ctx)
    await refuseOwnMatter(ctx, [memberId])
    await lockMembers(ctx, [memberId])
    const entry = await ctx.db
      .selectFrom('ledgerEntries')
      .innerJoin('members', 'members.id', 'ledgerEntries.memberId')
      .leftJoin('reviews', (of) => of.on(sql`reviews.id`, '=', reviewOfEntry(sql`ledger_entries.id`)))
      .select(['ledgerEntries.delta', 'ledgerEntries.reason', 'reviews.reviewerId', 'reviews.sellerId'])
      .where('ledgerEntries.id', '=', entryId)
      .where('ledgerEntries.memberId', '=', memberId)
      .where('members.erasedAt', 'is', null)
      .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
    await refuseOwnMatter(ctx, [entry.reviewerId, entry.sellerId])
    const correction = { memberId, reason: 'corrected' as const, delta: -entry.delta, corrects: entryId }
    const id = await moveFromClub(ctx, correction).catch((error: unknown) => {
      throw violates(error, 'ledger_entries_corrected_once') ? refuse('ALREADY_CORRECTED') : error
    })
    if (entry.reason === 'carried') await forgiveCarried(ctx, memberId, -entry.delta)
    await endCarriedIfEven(ctx, memberId)
    await ctx.kit.jobs.send(ctx, 'match-requests')
    await notifyCorrected(ctx, { memberId, entryId: id, delta: -entry.delta, reason })
    await recordStaffAction(ctx, {
      action: 'entry_corrected',
      memberId,
      subject: { kind: 'ledger_entry', id: entryId },
      reason,
      before: { delta: entry.delta },
      after: { delta: -entry.delta, entryId: id },
    })
  })
}
