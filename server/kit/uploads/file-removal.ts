import type { Ctx } from '#server/kit/ctx.ts'
import { afterCommit } from '#server/kit/db/db.ts'
import { discardFile } from './stored-file.ts'

/** Removes files once their rows no longer name them. Should that fail, the nightly sweep finds them. */
export function removeAfterCommit(ctx: Ctx, keys: (string | null)[]) {
  afterCommit(ctx, async () => {
    for (const key of keys) if (key !== null) await discardFile(ctx, key)
  })
}
