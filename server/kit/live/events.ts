import { sql } from 'kysely'
import type { EventIds, EventName } from '#contract/live.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { afterCommit } from '#server/kit/db/db.ts'

/**
 * Writes down that something happened, in the open transaction, and lets the higher rooms react within it.
 * recipients are the members whose screens may know at once; they get the name and the ids and nothing else.
 */
export function emit(ctx: Ctx, name: EventName, ids: EventIds, recipients: string[] = []) {
  return emitAll(ctx, [{ name, ids, recipients }])
}

/** Writes down many things at once, in one statement: they happened in this order. */
export async function emitAll(
  ctx: Ctx,
  happened: { name: EventName; ids: EventIds; recipients: string[] }[],
) {
  if (happened.length === 0) return
  if (!ctx.tx) throw new Error(`${happened[0]?.name} was emitted outside of a transaction.`)
  const events = happened.map(({ recipients, ...event }) => ({
    ...event,
    id: newId(),
    recipients: [...new Set(recipients)],
  }))
  await sql`insert into events (id, name, ids, actor_id, recipients)
    select id, name, ids, ${ctx.who.id}::uuid, recipients
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as t(id uuid, name text, ids jsonb, recipients uuid[])`.execute(
    ctx.db,
  )
  for (const event of events) {
    afterCommit(ctx, () => ctx.kit.handOver?.(event))
    for (const react of ctx.kit.reactions[event.name] ?? []) await react(ctx, event.ids)
  }
}
