// Work of a test whose writes do not stay.
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'

const undo = new Error('undo')

/** Runs work and undoes what it wrote. */
export async function undone(ctx: Ctx, work: (ctx: Ctx) => Promise<unknown>): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await work(ctx)
    throw undo
  }).catch((error: unknown) => {
    if (error !== undo) throw error
  })
}
