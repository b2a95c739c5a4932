import { sql } from 'kysely'
import { liveMessage } from '#contract/live.ts'
import type { EventName } from '#contract/live.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { afterCommit } from '#server/kit/db/db.ts'
import type { EventFields } from './event-fields.ts'

/**
 * Stores an event in the open transaction and runs the reactions of the higher modules in it. `recipients`
 * are the members whose screens are notified. They receive only the name and the ids of the contract.
 */
export function emit<N extends EventName>(
  ctx: Ctx,
  name: N,
  fields: EventFields<N>,
  recipients: string[] = [],
) {
  return emitAll(ctx, name, [{ fields, recipients }])
}

/** Stores many events of one name in one statement, in the given order. */
export async function emitAll<N extends EventName>(
  ctx: Ctx,
  name: N,
  happened: { fields: EventFields<N>; recipients: string[] }[],
) {
  if (happened.length === 0) return
  if (!ctx.tx) throw new Error(`${name} was emitted outside of a transaction.`)
  const events = happened.map(({ fields, recipients }) => ({
    ...liveMessage(name, fields),
    id: newId(),
    recipients: [...new Set(recipients)],
  }))
  await sql`insert into events (id, name, ids, actor_id, recipients)
    select id, name, ids, ${ctx.who.id}::uuid, recipients
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as t(id uuid, name text, ids jsonb, recipients uuid[])`.execute(ctx.db)
  for (const event of events) afterCommit(ctx, () => ctx.kit.handOver?.(event))
  for (const { fields } of happened) {
    for (const reactions of ctx.kit.reactions) await reactions[name]?.(ctx, fields)
  }
}
