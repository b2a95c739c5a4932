import { z } from 'zod'
import { call, id, page, pageOf, time } from '../kit.ts'
import { membershipStatus, role } from '../members.ts'

/** A member, as a row of the staff's list. */
const userRow = z.object({
  id,
  email: z.string(),
  /** Null without a name. */
  fullName: z.string().nullable(),
  role,
  membership: membershipStatus,
  createdAt: time,
})
export type UserRow = z.infer<typeof userRow>

/** What narrows the list of members, and its CSV file. */
export const userFilter = z.strictObject({ search: z.string().max(200).optional() })

export const users = {
  listUsers: call
    .route({ method: 'GET', path: '/admin/users', summary: 'Members, newest first' })
    .input(pageOf.extend(userFilter.shape))
    .output(page(userRow).extend({ matching: z.int(), total: z.int() })),
}
