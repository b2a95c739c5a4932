import { z } from 'zod'
import { call, id, page, pageOf, time } from '../kit.ts'
import { searchText, tally } from './lists.ts'

/** An entry of the activity log. */
const logRow = z.object({
  id,
  /** Null without a member: before one is known, and after the account was erased. */
  member: z.object({ id, email: z.string() }).nullable(),
  /** A code in underscores, such as `user_logged_in`. */
  action: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: time,
})
export type LogRow = z.infer<typeof logRow>

/** What narrows the activity log, and its CSV file. */
export const logFilter = z.strictObject({
  /** In the email, the action or the metadata. */
  search: searchText.optional(),
  action: z
    .string()
    .max(100)
    .regex(/^[a-z][a-z_]*$/)
    .optional(),
})
export type LogFilter = z.infer<typeof logFilter>

export const logs = {
  listLogs: call
    .route({ method: 'GET', path: '/admin/logs', summary: 'The activity log, newest first' })
    .input(pageOf.extend(logFilter.shape))
    .output(
      page(logRow).extend({
        /** Null on the pages after the first. */
        counts: z.object({ matching: tally, total: tally }).nullable(),
        /**
         * A search that no index helps looks through the newest entries, and further with each page: the
         * moment up to which it has come; null when it has seen all.
         */
        searchedTo: time.nullable(),
      }),
    ),
  listLogActions: call
    .route({ method: 'GET', path: '/admin/log-actions', summary: 'Every action in the activity log' })
    .output(z.array(z.string())),
}
