import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { Club } from '#server/testing/club.ts'
import { addMember, confirmMember } from './members.ts'
import { writeUsername } from './usernames.ts'

let joined = 0

/** Signs up with this address, confirms it, and chooses a username. */
export async function joinClub(club: Club, email: string): Promise<MemberCtx> {
  const username = `joiner-${(joined += 1)}`
  await inTransaction(club.system, async (ctx) => {
    const memberId = (await addMember(ctx, { email })) ?? ''
    await writeUsername(ctx, { memberId, username })
    await confirmMember(ctx, memberId)
  })
  return club.as(username)
}
