// The history of a membership, as its member reads it. A change has a key, so that it is written and
// notified once, however often it is found.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { notifyChanges } from './billing-notices.ts'
import type { Change } from './billing-notices.ts'

export type { Change } from './billing-notices.ts'

/** Writes the changes that are new, in their order, and notifies the member of them. */
export async function addChanges(ctx: Ctx, memberId: string, changes: readonly Change[]): Promise<void> {
  const added: Change[] = []
  for (const change of changes) if (await addChange(ctx, memberId, change)) added.push(change)
  await notifyChanges(ctx, memberId, added)
}

/** Writes a change without telling anyone. False when it was written before. */
export async function addChange(ctx: Ctx, memberId: string, { kind, key, until = null }: Change) {
  const { numAffectedRows } = await sql`
    insert into membership_changes (id, member_id, kind, key, until)
    values (${newId()}, ${memberId}, ${kind}, ${key}, ${until})
    on conflict (member_id, kind, key) do nothing`.execute(ctx.db)
  return numAffectedRows === 1n
}
