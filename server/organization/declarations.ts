// A declaration says that a member, a shop or a listing must never be matched with me. It binds at once, in
// both directions. The other side learns only that they were named as household or team, and answers that.
import { sql } from 'kysely'
import { usernamePattern } from '#contract/members.ts'
import { canTakePart } from '#contract/membership.ts'
import type { StandingFacts } from '#contract/membership.ts'
import { declarationEndDays } from '#contract/organization.ts'
import type { DeclarationKind } from '#contract/organization.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { standingFacts } from '#server/membership/standings.ts'
import { readNamedPage } from './addresses.ts'
import { deleteMyEndedDeclarations, requireWithinLimit } from './limits.ts'
import { askHousehold, settleHousehold } from './notices.ts'

type Target = {
  aboutMemberId: string | null
  address: string | null
  marketplaceId: string | null
  listing: string | null
  namedAs: string
}

/**
 * Declares a member by username, or a shop or a listing by its address. A declaration that I removed and that
 * still binds stands again. Refuses the reasons of `canTakePart` except for a pause, UNKNOWN_MEMBER,
 * NAMED_SELF, SHOP_ADDRESS, ALREADY_DECLARED and DECLARATION_LIMIT at `named`.
 */
export function addDeclaration(
  ctx: MemberCtx,
  { kind, named }: { kind: DeclarationKind; named: string },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await requireJoined(ctx)
    const target = await readTarget(ctx, kind, named)
    const { aboutMemberId } = target
    await lockMembers(ctx, [ctx.who.id, ...(aboutMemberId ? [aboutMemberId] : [])])
    if (aboutMemberId && (await findMember(ctx, target.namedAs)) !== aboutMemberId) throw unknownMember()
    const { id, wasBound } = await writeDeclaration(ctx, kind, target)
    const isHousehold = kind === 'household' && aboutMemberId !== null
    if (isHousehold) await askHousehold(ctx, { id, memberId: aboutMemberId })
    const namedIds = isHousehold ? [aboutMemberId] : []
    // What bound already ends no offer: taking a declaration back and making it again would be a way to get
    // rid of any, without a decline.
    const bound = wasBound ? null : { declarerId: ctx.who.id, namedIds }
    await emit(ctx, 'organization.changed', { bound }, [ctx.who.id, ...namedIds])
  })
}

/** Removes one of my declarations. It binds for 30 more days. Refuses NOT_FOUND. */
export function removeDeclaration(ctx: MemberCtx, id: string): Promise<void> {
  return changeMine(ctx, async (ctx) => {
    const removed = await ctx.db
      .updateTable('declarations')
      .set({ endsAt: endOfBinding })
      .where('id', '=', id)
      .where('memberId', '=', ctx.who.id)
      .where('endsAt', 'is', null)
      .returning(['aboutMemberId', 'kind'])
      .executeTakeFirst()
    if (removed?.aboutMemberId) await settleHousehold(ctx, { id, memberId: removed.aboutMemberId })
    return removed
  })
}

/** Keeps a declaration that I removed, while it binds. Refuses NOT_FOUND. */
export function keepDeclaration(ctx: MemberCtx, id: string): Promise<void> {
  return changeMine(ctx, (ctx) =>
    ctx.db
      .updateTable('declarations')
      .set({ endsAt: null })
      .where('id', '=', id)
      .where('memberId', '=', ctx.who.id)
      .where('kind', '<>', 'former_shop')
      .where('endsAt', '>', sql<string>`clock_timestamp()`)
      .returning(['aboutMemberId', 'kind'])
      .executeTakeFirst(),
  )
}

/**
 * Answers whether I belong to the household or team of the member who named me. The declaration binds
 * whatever the answer is. Refuses NOT_FOUND.
 */
export function answerHousehold(
  ctx: MemberCtx,
  { id, belongs }: { id: string; belongs: boolean },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const answered = await ctx.db
      .updateTable('declarations')
      .set({ answer: belongs ? 'confirmed' : 'denied', answeredAt: sql<string>`clock_timestamp()` })
      .where('id', '=', id)
      .where('aboutMemberId', '=', ctx.who.id)
      .where('kind', '=', 'household')
      .where(sql<boolean>`(ends_at is null or ends_at > clock_timestamp())`)
      .returning('memberId')
      .executeTakeFirst()
    if (!answered) throw refuse('NOT_FOUND')
    await settleHousehold(ctx, { id, memberId: ctx.who.id })
    await emit(ctx, 'organization.changed', { bound: null }, [ctx.who.id, answered.memberId])
  })
}

/** In SQL: until when a declaration binds that is removed now. */
export const endOfBinding = sql<string>`clock_timestamp()
  + make_interval(hours => ${declarationEndDays * 24})`

/** Refuses who has no running membership: anyone could name members with an account that costs nothing. */
export async function requireJoined(ctx: MemberCtx): Promise<void> {
  const { rows } = await sql<StandingFacts>`
    select ${standingFacts} from standings t where t.member_id = ${ctx.who.id}`.execute(ctx.db)
  const may = rows[0] ? canTakePart({ ...rows[0], paused: false }) : 'ACCOUNT_ERASED'
  if (may !== true) throw refuse(may)
}

function changeMine(
  ctx: MemberCtx,
  change: (ctx: MemberCtx) => Promise<{ aboutMemberId: string | null; kind: string } | undefined>,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [ctx.who.id])
    const changed = await change(ctx)
    if (!changed) throw refuse('NOT_FOUND')
    const { aboutMemberId, kind } = changed
    await emit(ctx, 'organization.changed', { bound: null }, [ctx.who.id])
    // Only a household or team is shown to the other side.
    if (aboutMemberId && kind === 'household')
      await emit(ctx, 'organization.changed', { bound: null }, [aboutMemberId])
  })
}

/** A household or team is named by username; the others also by the address of a shop or a listing. */
async function readTarget(ctx: MemberCtx, kind: DeclarationKind, named: string): Promise<Target> {
  const none = { aboutMemberId: null, address: null, marketplaceId: null, listing: null }
  const text = named.trim()
  const username = text.replace(/^@/, '').toLowerCase()
  if (kind === 'household' || usernamePattern.test(username)) {
    const memberId = await findMember(ctx, username)
    if (!memberId) throw unknownMember()
    if (memberId === ctx.who.id) throw refuse('NAMED_SELF', { field: 'named' })
    return { ...none, aboutMemberId: memberId, namedAs: username }
  }
  const page = await readNamedPage(ctx, text, 'named')
  const { namedAs } = page
  if (page.listing !== undefined)
    return { ...none, marketplaceId: page.marketplaceId, listing: page.listing, namedAs }
  await refuseMyShop(ctx, page.address)
  return { ...none, address: page.address, namedAs }
}

const unknownMember = () => refuse('UNKNOWN_MEMBER', { field: 'named' })

/** By the same condition as a member's public page, so that naming answers no more than the search does. */
async function findMember(ctx: Ctx, username: string): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('username', '=', username)
    .where('emailVerified', '=', true)
    .where('erasedAt', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

async function refuseMyShop(ctx: MemberCtx, address: string) {
  const mine = await ctx.db
    .selectFrom('shops')
    .select('id')
    .where('memberId', '=', ctx.who.id)
    .where('address', '=', address)
    .executeTakeFirst()
  if (mine) throw refuse('NAMED_SELF', { field: 'named' })
}

/** Writes it, or lets the one stand again that was removed and still binds. */
async function writeDeclaration(
  ctx: MemberCtx,
  kind: DeclarationKind,
  target: Target,
): Promise<{ id: string; wasBound: boolean }> {
  await deleteMyEndedDeclarations(ctx)
  const known = await ctx.db
    .selectFrom('declarations')
    .select(['id', 'endsAt', 'kind'])
    .where('memberId', '=', ctx.who.id)
    .where('aboutMemberId', 'is not distinct from', target.aboutMemberId)
    .where('address', 'is not distinct from', target.address)
    .where('marketplaceId', 'is not distinct from', target.marketplaceId)
    .where('listing', 'is not distinct from', target.listing)
    .executeTakeFirst()
  if (known && known.endsAt === null) throw refuse('ALREADY_DECLARED', { field: 'named' })
  if (known) {
    const fresh = known.kind === kind ? {} : { answer: null, answeredAt: null }
    await ctx.db
      .updateTable('declarations')
      .set({ kind, endsAt: null, namedAs: target.namedAs, ...fresh })
      .where('id', '=', known.id)
      .execute()
    await requireWithinLimit(ctx, 'named')
    return { id: known.id, wasBound: true }
  }
  const id = newId()
  await ctx.db
    .insertInto('declarations')
    .values({ id, memberId: ctx.who.id, kind, ...target })
    .execute()
  await requireWithinLimit(ctx, 'named')
  return { id, wasBound: false }
}
