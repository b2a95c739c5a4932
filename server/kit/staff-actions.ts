// The record of what our staff did: every action and every look at personal data or evidence, with the person
// who acted. Rows are never changed.
import { sql } from 'kysely'
import type { JsonValue } from '#db/types.ts'
import type { Ctx, MemberCtx } from './ctx.ts'
import { newId } from './ctx.ts'

type Subject = { kind: string; id: string }

type StaffAction = {
  /** An underscore-separated code in the past tense, such as `role_changed`. */
  action: string
  /** The member it is about, if there is one. */
  memberId?: string | null
  /** The thing it is about: its noun and its id. */
  subject?: Subject
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
 * Records that the caller looked at something, once an hour for the same thing: an open page asks again and
 * again. `subject` names what was looked at.
 */
export async function recordLook(
  ctx: MemberCtx,
  { action, memberId = null, subject }: Pick<StaffAction, 'action' | 'memberId'> & { subject: Subject },
): Promise<void> {
  await sql`
    insert into staff_actions (id, actor_id, action, member_id, subject, subject_id)
    select ${newId()}, ${ctx.who.id}, ${action}, ${memberId}::uuid, ${subject.kind}, ${subject.id}::uuid
    where not exists (select from staff_actions where subject_id = ${subject.id}::uuid and action = ${action}
      and actor_id = ${ctx.who.id} and at > clock_timestamp() - interval '1 hour')`.execute(ctx.db)
}

/**
 * Records that the caller opened a list of personal data, once an hour for each list.
 * @param action for example `users_listed`.
 */
export async function recordListLook(ctx: MemberCtx, action: string): Promise<void> {
  await sql`
    insert into staff_actions (id, actor_id, action) select ${newId()}, ${ctx.who.id}, ${action}
    where not exists (select from staff_actions where actor_id = ${ctx.who.id} and action = ${action}
      and at > clock_timestamp() - interval '1 hour')`.execute(ctx.db)
}
