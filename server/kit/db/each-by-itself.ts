// A job works on many things, and one that fails must not keep all others waiting, run after run.
import type { Ctx } from '../ctx.ts'

type Failing<Item> = {
  /** What the log says of a failure. */
  failure: string
  /** The fields of that line, which name the thing. */
  about: (item: Item) => Record<string, string | null>
}

/**
 * Works on one after the other. A failure is logged and does not stop the others; after the last of them the
 * first failure is thrown, so that the job fails and is repeated. `work` has to open its own transaction: in
 * one of the caller's, nothing more could be done after a failure.
 */
export async function eachByItself<Item>(
  ctx: Pick<Ctx, 'log'>,
  items: Iterable<Item> | AsyncIterable<Item>,
  { failure, about }: Failing<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) {
    try {
      await work(item)
    } catch (err) {
      ctx.log.error({ err, ...about(item) }, failure)
      failures.push(err)
    }
  }
  if (failures.length > 0) throw failures[0]
}
