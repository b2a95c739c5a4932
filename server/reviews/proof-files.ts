// The files of proofs: who may open one, and when they are deleted.
import { sql } from 'kysely'
import { proofKeptDays } from '#contract/reviews.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { isId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { removeAfterCommit } from '#server/kit/uploads/file-removal.ts'
import { fileHeaders, mountFile } from '#server/kit/http/files.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'

/**
 * Mounts GET /api/proofs/:id for the uploader and our staff. The answer is a download that cannot run
 * scripts, or with `?view=frame` a picture for a sandboxed frame of ours.
 */
export function mountProofs(app: HttpApp) {
  mountFile(app, '/proofs/:id', 'GET', async (ctx, c) => {
    const { bytes, mime, name } = await openProof(ctx, c.req.param('id') ?? '')
    const headers = {
      ...fileHeaders({ type: mime, name }),
      ...(c.req.query('view') === 'frame' ? framed : {}),
    }
    return new Response(new Uint8Array(bytes), { headers })
  })
}

/** A picture that a page of ours may show in a frame, where it can neither run nor load anything. */
const framed = {
  'content-disposition': 'inline',
  'content-security-policy':
    "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
}

const endings: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'application/pdf': 'pdf' }

/**
 * A proof's file, for its uploader and our staff, to whom it is also open after it was refused. Each opening
 * is recorded. Refuses NOT_FOUND to all others, TWO_FACTOR_NEEDED to staff without a second factor, and
 * OWN_MATTER to the seller.
 */
async function openProof(ctx: MemberCtx, proofId: string) {
  if (!isId(proofId)) throw refuse('NOT_FOUND')
  const isStaff = ctx.who.role === 'support' || ctx.who.role === 'admin'
  const proof = await ctx.db
    .selectFrom('proofs')
    .innerJoin('reviews', 'reviews.id', 'proofs.reviewId')
    .select(['proofs.id', 'reviewId', 'uploaderId', 'sellerId', 'fileKey', 'mime'])
    .where('proofs.id', '=', proofId)
    .where('kind', '=', 'file')
    .$if(!isStaff, (of) => of.where('uploaderId', '=', ctx.who.id))
    .where(({ or, eb }) =>
      isStaff ? or([eb('state', '=', 'stored'), eb('state', '=', 'refused')]) : eb('state', '=', 'stored'),
    )
    .executeTakeFirst()
  if (!proof?.fileKey || !proof.mime) throw refuse('NOT_FOUND')
  if (proof.uploaderId !== ctx.who.id) {
    if (!ctx.who.twoFactor) throw refuse('TWO_FACTOR_NEEDED')
    await refuseOwnMatter(ctx, [proof.sellerId])
    await recordStaffAction(ctx, {
      action: 'proof_viewed',
      memberId: proof.uploaderId,
      subject: { kind: 'proof', id: proofId },
    })
  }
  await recordActivity(ctx, 'proof_opened', { targetId: proofId, reviewId: proof.reviewId })
  const bytes = await ctx.kit.files.get(proof.fileKey)
  if (!bytes) {
    ctx.log.error({ proofId }, 'the file of a proof is missing')
    throw refuse('NOT_FOUND')
  }
  return { bytes, mime: proof.mime, name: `proof-${proof.id}.${endings[proof.mime] ?? 'bin'}` }
}

/**
 * Deletes the files of reviews that have been final for 90 days. The hashes stay, so no file is used as proof
 * again.
 */
export async function deleteOldProofFiles(ctx: Ctx) {
  for (;;) {
    const deleted = await inTransaction(ctx, async (ctx) => {
      const { rows } = await sql<{ fileKey: string }>`
        with old as (
          select p.id, p.file_key from proofs p join reviews r on r.id = p.review_id
          where p.state in ('stored', 'refused') and p.file_key is not null and p.kind = 'file'
            and coalesce(r.verified_at, r.lapsed_at) < clock_timestamp() - make_interval(days =>
              ${proofKeptDays})
          limit 100 for update of p skip locked
        )
        update proofs p set file_key = null,
          state = case p.state when 'stored' then 'deleted' else p.state end from old where p.id = old.id
        returning old.file_key`.execute(ctx.db)
      removeAfterCommit(
        ctx,
        rows.map(({ fileKey }) => fileKey),
      )
      return rows.length
    })
    if (deleted < 100) return
  }
}
