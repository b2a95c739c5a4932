import type { Ctx } from '#server/kit/ctx.ts'
import { afterCommit } from '#server/kit/db/db.ts'

/** Removes files once their rows no longer name them. Should that fail, the nightly sweep finds them. */
export function removeAfterCommit(ctx: Ctx, keys: (string | null)[]) {
  const { files } = ctx.kit
  afterCommit(ctx, async () => {
    for (const key of keys) {
      if (key === null) continue
      await files
        .remove(key)
        .catch((err: unknown) => ctx.log.warn({ err }, 'a file waits for the nightly sweep'))
    }
  })
}
