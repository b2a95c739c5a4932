// An upload is stored before the transaction that names it, so that a slow storage holds no connection to
// the database. Until that transaction commits, no row names it.
import type { Ctx } from '#server/kit/ctx.ts'
import { afterRollback } from '#server/kit/db/db.ts'
import { newFileKey } from './files.ts'

/** Stores a file, and returns its key. Refuses with `StorageFull` or `StorageDown`. */
export async function storeFile(ctx: Ctx, bytes: Uint8Array): Promise<string> {
  const key = newFileKey()
  await ctx.kit.files.put(key, bytes)
  return key
}

/** Removes a stored file should the open transaction, which names it, roll back. */
export function keepFile(ctx: Ctx, key: string): void {
  afterRollback(ctx, (outside) => discardFile(outside, key))
}

/** Removes a stored file that no row names. Should that fail, the nightly sweep finds it. */
export async function discardFile(ctx: Ctx, key: string): Promise<void> {
  await ctx.kit.files
    .remove(key)
    .catch((err: unknown) => ctx.log.warn({ err }, 'a file waits for the nightly sweep'))
}
