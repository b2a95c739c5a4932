import { z } from 'zod'

/**
 * How many rows a filter leaves. Large numbers are not counted to the end: `atLeast` have been found, and
 * `about` is the database's own estimate.
 */
export const tally = z.object({ count: z.int(), is: z.enum(['exact', 'atLeast', 'about']) })
export type Tally = z.infer<typeof tally>

/** A place in a list that is sorted by a text. Opaque, like every cursor. */
export const textCursor = z
  .string()
  .max(900)
  .regex(/^[\w-]+$/)

/** What is searched for: any part of a text, without regard to case. */
export const searchText = z.string().max(200)
