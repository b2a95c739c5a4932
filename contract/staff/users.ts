import { z } from 'zod'
import { call, done, id, pageOf, prose, refusing, time } from '../kit.ts'
import { role } from '../members.ts'
import { membershipStates } from '../membership.ts'
import { searchText, tally, textCursor } from './lists.ts'
import { staffRefusals } from './refusals.ts'

/** A member, as a row of the staff's list. */
const userRow = z.object({
  id,
  email: z.string(),
  /** Null without a name. */
  fullName: z.string().nullable(),
  role,
  membership: z.enum(membershipStates),
  suspended: z.boolean(),
  createdAt: time,
})
export type UserRow = z.infer<typeof userRow>

/** What the list of members can be sorted by. Without a choice the newest come first. */
const userSorts = ['email', 'name', 'role', 'created'] as const
export type UserSort = (typeof userSorts)[number]

/** What narrows and orders the list of members, and its CSV file. */
export const userFilter = z.strictObject({
  /** In the email, the full name or the role. */
  search: searchText.optional(),
  sort: z.enum(userSorts).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
})
export type UserFilter = z.infer<typeof userFilter>

export const users = {
  listUsers: call
    .route({ method: 'GET', path: '/admin/users', summary: 'Members, searched and sorted' })
    .input(pageOf.extend({ ...userFilter.shape, cursor: textCursor.optional() }))
    .output(
      z.object({
        items: z.array(userRow),
        next: textCursor.nullable(),
        /** Of all members; null on the pages after the first. */
        counts: z.object({ matching: tally, total: tally }).nullable(),
      }),
    ),
  changeRole: call
    .route({ method: 'POST', path: '/admin/users/{id}/role', summary: 'Give another member a role' })
    .input(
      z.strictObject({
        id,
        /** The role on the screen: when it changed meanwhile, nothing happens. */
        from: role,
        role,
        reason: prose(500, 1),
      }),
    )
    .output(done)
    .errors(refusing(staffRefusals)),
}
