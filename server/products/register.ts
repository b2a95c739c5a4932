// The register of marketplaces: what our staff enter after reading a marketplace's policy. Every change keeps
// the former entry, and a change of the policy asks the members for their consent again.
import { sql } from 'kysely'
import type { JsonValue } from '#db/types.ts'
import type { MarketplaceEntry, OpenLane } from '#contract/staff/marketplaces.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, violates } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { notifyOfLane } from './lanes.ts'

type Changed = { id: string; version: number }

/**
 * Lists a marketplace, so that members can connect products of it. Refuses NOT_FRESH, MARKETPLACE_EXISTS and
 * READ_IN_FUTURE.
 */
export async function addMarketplace(
  ctx: MemberCtx,
  { entry, reason }: { entry: MarketplaceEntry; reason: string },
): Promise<Changed> {
  await requireFresh(ctx)
  return inTransaction(ctx, async (ctx) => {
    await requirePast(ctx, entry.readOn)
    const id = newId()
    await ctx.db
      .insertInto('marketplaces')
      .values({ id, ...columnsOf(entry) })
      .execute()
      .catch(asListed)
    await recordStaffAction(ctx, {
      action: 'marketplace_added',
      subject: { kind: 'marketplace', id },
      reason,
      after: { version: 1, ...jsonOf(entry) },
    })
    return { id, version: 1 }
  })
}

/**
 * Changes an entry and keeps the former one. A new policy, sentence or lane raises the policy's version, so
 * that members are asked for their consent again. A closed marketplace stays closed. Refuses NOT_FRESH,
 * NOT_FOUND, CONFLICT when it was changed in the meantime, MARKETPLACE_EXISTS and READ_IN_FUTURE.
 */
export async function editMarketplace(
  ctx: MemberCtx,
  { id, version, entry, reason }: { id: string; version: number; entry: MarketplaceEntry; reason: string },
): Promise<Changed> {
  await requireFresh(ctx)
  return inTransaction(ctx, async (ctx) => {
    await requirePast(ctx, entry.readOn)
    const former = await lockEntry(ctx, id, version)
    const isClosed = former.lane === 'closed'
    if (isClosed && entry.lane !== former.entry.lane) throw refuse('MARKETPLACE_IS_CLOSED', { field: 'lane' })
    return replaceEntry(ctx, former, {
      action: 'marketplace_edited',
      reason,
      entry,
      lane: isClosed ? 'closed' : entry.lane,
    })
  })
}

type Reading = {
  id: string
  version: number
  policySentence: string
  readBy: string
  nextCheckOn: string
  reason: string
}

/**
 * Records that the policy was read again today. Another sentence than before raises the policy's version.
 * Refuses NOT_FRESH, NOT_FOUND, CONFLICT, and READ_IN_FUTURE when the next check is not after today.
 */
export async function checkMarketplace(
  ctx: MemberCtx,
  { id, version, policySentence, readBy, nextCheckOn, reason }: Reading,
): Promise<Changed> {
  await requireFresh(ctx)
  return inTransaction(ctx, async (ctx) => {
    const former = await lockEntry(ctx, id, version)
    const { rows } = await sql<{ today: string; isLater: boolean }>`
      select current_date::text as today, ${nextCheckOn}::date between current_date + 1
        and current_date + 366 as is_later`.execute(ctx.db)
    const [day] = rows
    if (!day?.isLater) {
      throw refuse('CONFLICT', {
        field: 'nextCheckOn',
        reason: 'Choose a day after today, at most a year from now.',
      })
    }
    const entry = { ...former.entry, policySentence, readBy, readOn: day.today, nextCheckOn }
    return replaceEntry(ctx, former, {
      action: 'marketplace_checked',
      reason,
      entry,
      lane: former.lane,
    })
  })
}

type Former = {
  id: string
  version: number
  policyVersion: number
  lane: 'public' | 'private' | 'closed'
  entry: MarketplaceEntry
}

/** An entry with its row locked. Refuses NOT_FOUND, and CONFLICT when its version is another one. */
export async function lockEntry(ctx: Ctx, id: string, version?: number): Promise<Former> {
  // Waits for the draws and acceptances that rely on the lane, but not for rows that refer to the entry.
  const row = await ctx.db
    .selectFrom('marketplaces')
    .selectAll()
    .select([sql<string>`read_on::text`.as('readOn'), sql<string>`next_check_on::text`.as('nextCheckOn')])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw refuse('NOT_FOUND')
  if (version !== undefined && row.version !== version) throw refuse('CONFLICT')
  const laneBefore = await ctx.db
    .selectFrom('marketplaceClosures')
    .select('laneBefore')
    .where('marketplaceId', '=', id)
    .where('reopenedAt', 'is', null)
    .executeTakeFirst()
  return {
    id,
    version: row.version,
    policyVersion: row.policyVersion,
    lane: row.lane,
    entry: entryOf(row, openLaneOf(row.lane, laneBefore?.laneBefore)),
  }
}

/** The lane of an entry: of a closed one, the lane in which it was open. */
export function openLaneOf(lane: string, before?: string): OpenLane {
  return (lane === 'closed' ? before : lane) === 'private' ? 'private' : 'public'
}

type Row = Omit<MarketplaceEntry, 'disclosures' | 'lane'> & { disclosures: unknown }

/** The entry of a row of `marketplaces`. */
export function entryOf(row: Row, lane: OpenLane): MarketplaceEntry {
  return {
    name: row.name,
    host: row.host,
    imageHosts: row.imageHosts,
    lane,
    policyUrl: row.policyUrl,
    policySentence: row.policySentence,
    readBy: row.readBy,
    readOn: row.readOn,
    nextCheckOn: row.nextCheckOn,
    couponPrices: row.couponPrices,
    verifiedPurchaseWord: row.verifiedPurchaseWord,
    disclosure: row.disclosure,
    // Only `columnsOf` writes it, from a checked entry.
    disclosures: row.disclosures as MarketplaceEntry['disclosures'],
    listingPaths: row.listingPaths,
    listingIdForm: row.listingIdForm,
    couponParameter: row.couponParameter,
    couponForms: row.couponForms,
    orderPattern: row.orderPattern,
  }
}

type Replacement = {
  action: string
  reason: string
  entry: MarketplaceEntry
  lane: 'public' | 'private' | 'closed'
}

/** Writes an entry and keeps the former one, with the record of who changed what. */
export async function replaceEntry(
  ctx: MemberCtx,
  former: Former,
  { action, reason, entry, lane }: Replacement,
): Promise<Changed> {
  const version = former.version + 1
  await ctx.db
    .insertInto('marketplaceVersions')
    .values({
      marketplaceId: former.id,
      version: former.version,
      policyVersion: former.policyVersion,
      lane: former.lane,
      entry: JSON.stringify(former.entry),
    })
    .execute()
  const asksAgain =
    entry.policyUrl !== former.entry.policyUrl ||
    entry.policySentence !== former.entry.policySentence ||
    entry.lane !== former.entry.lane
  await ctx.db
    .updateTable('marketplaces')
    .set({
      ...columnsOf(entry),
      lane,
      version,
      policyVersion: former.policyVersion + (asksAgain ? 1 : 0),
    })
    .where('id', '=', former.id)
    .execute()
    .catch(asListed)
  const before = changesOf({ ...former.entry, lane: former.lane }, { ...entry, lane })
  const after = changesOf({ ...entry, lane }, { ...former.entry, lane: former.lane })
  await recordStaffAction(ctx, {
    action,
    subject: { kind: 'marketplace', id: former.id },
    reason,
    before: { version: former.version, ...before },
    after: { version, ...after },
  })
  if (former.lane === 'public' && lane === 'private') await notifyOfLane(ctx, { id: former.id, version })
  return { id: former.id, version }
}

type Values = Record<string, JsonValue>

/** The values of one entry that differ from those of the other. */
function changesOf(one: Values, other: Values): Values {
  return Object.fromEntries(
    Object.entries(one).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name])),
  )
}

function jsonOf({ disclosures, ...entry }: MarketplaceEntry): Values {
  return { ...entry, disclosures: { ...disclosures } }
}

function columnsOf({ disclosures, ...entry }: MarketplaceEntry) {
  return { ...entry, disclosures: JSON.stringify(disclosures) }
}

async function requirePast(ctx: Ctx, day: string) {
  const { rows } = await sql<{ past: boolean }>`select ${day}::date <= current_date as past`.execute(ctx.db)
  if (!rows[0]?.past) throw refuse('READ_IN_FUTURE', { field: 'readOn' })
}

function asListed(error: unknown): never {
  if (violates(error, 'marketplaces_host_key')) throw refuse('MARKETPLACE_EXISTS', { field: 'host' })
  if (violates(error, 'marketplaces_name_key')) throw refuse('MARKETPLACE_EXISTS', { field: 'name' })
  throw error
}
