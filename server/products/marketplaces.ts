// The operator lists a marketplace after reading its policy, and products can be connected only to listed
// ones. Members read its notice on exchanged reviews, once per version of the policy, before they list or
// accept a product there.
import { sql } from 'kysely'
import type { Marketplace } from '#contract/products.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { recordOwnAction } from '#server/notifications/own-actions.ts'
import { refuse } from '#server/kit/refusal.ts'

/**
 * Every listed marketplace by name, closed ones too, and whether I have read the notice of its present
 * policy.
 */
export async function listMarketplaces(ctx: MemberCtx): Promise<Marketplace[]> {
  const { rows } = await sql<Marketplace>`
    select m.id, m.name, m.host, m.lane, m.policy_url, m.policy_sentence, m.policy_version, m.coupon_prices,
      m.verified_purchase_word, m.disclosure, m.listing_paths, m.listing_id_form, m.coupon_parameter,
      m.coupon_forms,
      exists (
        select from marketplace_consents c
        where c.marketplace_id = m.id and c.policy_version = m.policy_version and c.member_id = ${ctx.who.id}
      ) as consented
    from marketplaces m order by m.name collate "C"`.execute(ctx.db)
  return rows
}

/**
 * Records that I have read the notice of a marketplace. Repeating it changes nothing. Refuses NOT_FOUND, and
 * CONFLICT when the policy has a newer version than the one that was read.
 */
export async function consentToMarketplace(
  ctx: MemberCtx,
  { id, policyVersion }: { id: string; policyVersion: number },
) {
  const read = await ctx.db
    .selectFrom('marketplaces')
    .select(['policyVersion', 'name'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (!read) throw refuse('NOT_FOUND')
  if (read.policyVersion !== policyVersion) throw refuse('CONFLICT')
  const agreed = await ctx.db
    .insertInto('marketplaceConsents')
    .values({ memberId: ctx.who.id, marketplaceId: id, policyVersion })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (agreed.numInsertedOrUpdatedRows !== 1n) return
  await recordOwnAction(ctx, {
    type: 'matching',
    title: 'Marketplace notice read',
    description: `You agreed to exchange reviews on ${read.name} under its present policy.`,
  })
}

/** Whether this member has read the notice of the marketplace's present policy. */
export async function hasConsented(ctx: Ctx, memberId: string, marketplaceId: string) {
  const { rows } = await sql<{ yes: boolean }>`
    select exists (
      select from marketplace_consents c join marketplaces m on m.id = c.marketplace_id
      where c.member_id = ${memberId} and m.id = ${marketplaceId} and c.policy_version = m.policy_version
    ) as yes`.execute(ctx.db)
  return rows[0]?.yes ?? false
}
