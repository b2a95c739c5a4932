// The record of what our staff did: every action and every look at personal data or evidence, with the person
// who acted. Rows are never changed.
import type { JsonValue } from '#db/types.ts'
import type { Ctx, MemberCtx } from './ctx.ts'
import { newId } from './ctx.ts'
import { refuse } from './refusal.ts'

export type StaffAction = {
  /** An underscore-separated code in the past tense, such as `role_changed`. */
  action: string
  /** The member it is about, if there is one. */
  memberId?: string | null
  /** The thing it is about: its noun and its id. */
  subject?: { kind: string; id: string }
  /** Why; required for everything adverse. 1 to 2,000 characters. */
  reason?: string | null
  /** The values before and after, of what changed alone. No secrets, no complete links. */
  before?: Record<string, JsonValue>
  after?: Record<string, JsonValue>
}

/** Records what the caller did, in the same transaction. In jobs, the product itself is the actor. */
export async function recordStaffAction(ctx: Ctx, { subject, ...given }: StaffAction): Promise<void> {
  await ctx.db
    .insertInto('staffActions')
    .values({
      id: newId(),
      actorId: ctx.who.id,
      action: given.action,
      memberId: given.memberId ?? null,
      subject: subject?.kind ?? null,
      subjectId: subject?.id ?? null,
      reason: given.reason ?? null,
      before: given.before === undefined ? null : JSON.stringify(given.before),
      after: given.after === undefined ? null : JSON.stringify(given.after),
    })
    .execute()
}

/**
 * Refuses OWN_MATTER when the caller is one of these people: staff neither decide nor change what is about
 * themselves, such as their own account, an exchange they are part of, or an appeal against their decision.
 */
export function refuseOwnMatter(ctx: MemberCtx, people: readonly (string | null)[]): void {
  if (people.includes(ctx.who.id)) throw refuse('OWN_MATTER')
}
