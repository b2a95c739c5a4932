import type { EventIds, EventName } from '#contract/live.ts'
import type { Ctx } from './ctx.ts'
import { newId } from './ctx.ts'
import { afterCommit } from './db.ts'

/**
 * Writes down that something happened, in the open transaction, and lets the higher rooms react within it.
 * `hear` are the members whose screens may know at once; they get the name and the ids and nothing else.
 */
export async function emit(ctx: Ctx, name: EventName, ids: EventIds, hear: string[] = []) {
  if (!ctx.tx) throw new Error(`${name} was emitted outside of a transaction.`)
  const event = { id: newId(), name, ids, hear: [...new Set(hear)] }
  await ctx.db
    .insertInto('events')
    .values({ id: event.id, name, ids: JSON.stringify(ids), actorId: ctx.who.id, hear: event.hear })
    .execute()
  afterCommit(ctx, () => ctx.kit.handOver?.(event))
  for (const react of ctx.kit.reactions[name] ?? []) await react(ctx, ids)
}
