// A change of address needs both mailboxes: each gets a link with a separate secret, and the address changes
// when both were used. So neither an unlocked device nor a typo moves an account to a stranger. Only the
// owner of the new address learns whether it already has an account.
import { sql } from 'kysely'
import { emailChangeMinutes, maskEmailInside } from '#contract/accounts.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { violates, inTransaction } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { emit } from '#server/kit/live/events.ts'
import { clearBounce } from '#server/kit/mail/bounces.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMember, moveMember } from '#server/members/members.ts'
import { readEmail } from '#server/accounts/email-address.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import {
  mailAddressTaken,
  mailEmailChanged,
  mailEmailChangeRefused,
  mailNewAddress,
  mailOldAddress,
} from '#server/accounts/notices.ts'
import { hashOfSecret, newSecret } from '#server/accounts/secrets.ts'
import { endSessions } from '#server/accounts/sessions.ts'

/**
 * Asks both mailboxes to confirm a new address, and cancels an earlier request. The answer is the same if the
 * address has an account; then its owner gets a notice instead of a link. Refuses NOT_FRESH, INVALID_EMAIL,
 * EMAIL_UNCHANGED.
 */
export async function requestEmailChange(ctx: MemberCtx, address: string) {
  const email = readEmail(address)
  const { id: memberId, sessionId } = ctx.who
  await inTransaction(ctx, async (ctx) => {
    const me = await lockMember(ctx, memberId)
    await requireFresh(ctx)
    if (email === me.email) throw refuse('EMAIL_UNCHANGED', { field: 'email' })
    const secrets = { old: newSecret(), new: newSecret() }
    await sql`
      insert into email_changes (member_id, session_id, new_email, old_hash, new_hash, expires_at)
      values (${memberId}, ${sessionId}, ${email}, ${hashOfSecret(secrets.old)}, ${hashOfSecret(secrets.new)},
        clock_timestamp() + make_interval(mins => ${emailChangeMinutes}))
      on conflict (member_id) do update set session_id = excluded.session_id, new_email = excluded.new_email,
        old_hash = excluded.old_hash, new_hash = excluded.new_hash, old_confirmed_at = null,
        new_confirmed_at = null, created_at = clock_timestamp(), expires_at = excluded.expires_at`.execute(
      ctx.db,
    )
    await mailOldAddress(ctx, { memberId, to: me.email, next: email, token: secrets.old })
    const taken = await findConfirmed(ctx, email)
    if (taken) await mailAddressTaken(ctx, { memberId: taken.id, to: email })
    else await mailNewAddress(ctx, { memberId, to: email, username: me.username, token: secrets.new })
    await emit(ctx, 'member.changed', { memberId }, [memberId])
    await recordActivity(ctx, 'email_change_requested', {})
  })
}

/**
 * The confirmed account of an address. An unconfirmed sign-up does not count: a confirmed change replaces it.
 */
function findConfirmed(ctx: Ctx, email: string) {
  return ctx.db
    .selectFrom('members')
    .select('id')
    .where(sql`lower(email)`, '=', email)
    .where('emailVerified', '=', true)
    .executeTakeFirst()
}

/** Cancels my change of address, if there is one. Its links stop working. */
export async function cancelEmailChange(ctx: MemberCtx) {
  const { id: memberId } = ctx.who
  await inTransaction(ctx, async (ctx) => {
    await lockMember(ctx, memberId)
    const cancelled = await ctx.db
      .deleteFrom('emailChanges')
      .where('memberId', '=', memberId)
      .executeTakeFirst()
    if (cancelled.numDeletedRows === 0n) return
    await emit(ctx, 'member.changed', { memberId }, [memberId])
    await recordActivity(ctx, 'email_change_cancelled', {})
  })
}

/** What a link is for, and which sides have confirmed. Does not use up the link. Refuses LINK_EXPIRED. */
export async function readEmailChange(ctx: Ctx, token: string) {
  const change = await findChange(ctx, token)
  if (!change) throw refuse('LINK_EXPIRED')
  return {
    side: change.side,
    maskedOld: maskEmailInside(change.oldEmail),
    maskedNew: maskEmailInside(change.newEmail),
    confirmed: change.confirmed,
    otherConfirmed: change.otherConfirmed,
  }
}

/**
 * Confirms one side. The second confirmation changes the address, notifies both mailboxes, and ends all login
 * sessions except the one that asked and the one that confirms. Refuses LINK_EXPIRED, also when another
 * account has taken the address meanwhile.
 */
export async function confirmEmailChange(ctx: Ctx, token: string): Promise<{ changed: boolean }> {
  return inTransaction(ctx, async (ctx) => {
    const { owner, ...change } = await lockChange(ctx, token)
    const asOwner = actAs(ctx, {
      ...actorOf(owner),
      sessionId: ctx.who.id === owner.id ? ctx.who.sessionId : null,
    })
    const side = sql.ref(change.side === 'old' ? 'old_confirmed_at' : 'new_confirmed_at')
    const { rows } = await sql<{ agreed: boolean; sessionId: string | null }>`
      update email_changes set ${side} = clock_timestamp()
      where member_id = ${owner.id} and ${side} is null and expires_at > clock_timestamp()
        and ${sql.ref(`${change.side}_hash`)} = ${hashOfSecret(token)}
      returning old_confirmed_at is not null and new_confirmed_at is not null as agreed, session_id`.execute(
      ctx.db,
    )
    const confirmed = rows[0]
    if (!confirmed) throw refuse('LINK_EXPIRED')
    if (confirmed.agreed) {
      await moveAccount(asOwner, owner, { next: change.newEmail, askedBy: confirmed.sessionId })
    } else {
      await emit(asOwner, 'member.changed', { memberId: owner.id }, [owner.id])
      await recordActivity(asOwner, 'email_change_confirmed', { method: change.side })
    }
    return { changed: confirmed.agreed }
  }).catch((error: unknown) => {
    throw violates(error, 'members_email_key') ? refuse('LINK_EXPIRED') : error
  })
}

type Owner = Awaited<ReturnType<typeof lockMember>>

const actorOf = ({ id, role, twoFactor }: Owner) => ({ id, role, twoFactor })

async function moveAccount(
  ctx: MemberCtx,
  owner: Owner,
  { next, askedBy }: { next: string; askedBy: string | null },
) {
  const { db } = ctx
  await db.deleteFrom('emailChanges').where('memberId', '=', owner.id).execute()
  await moveMember(ctx, owner.id, next)
  await clearBounce(ctx, next)
  // A link for a new password in the old mailbox must not open the account any more.
  await db
    .deleteFrom('oneTimeSecrets')
    .where('memberId', '=', owner.id)
    .where('purpose', '=', 'reset_password')
    .execute()
  await endSessions(ctx, owner.id, { except: [askedBy, ctx.who.sessionId] })
  await recordActivity(ctx, 'email_changed', {})
  for (const side of ['old', 'new'] as const) {
    await mailEmailChanged(ctx, { memberId: owner.id, to: side === 'old' ? owner.email : next, side })
  }
}

/**
 * "This was not me": cancels the change. From the old mailbox, even after it confirmed, this also ends every
 * login session, because someone else was signed in, and sends advice to set a new password. Refuses
 * LINK_EXPIRED.
 */
export async function refuseEmailChange(ctx: Ctx, token: string) {
  await inTransaction(ctx, async (ctx) => {
    const { owner, side } = await lockChange(ctx, token)
    await ctx.db.deleteFrom('emailChanges').where('memberId', '=', owner.id).execute()
    const asOwner = actAs(ctx, { ...actorOf(owner), sessionId: null })
    await recordActivity(asOwner, 'email_change_refused', { method: side })
    if (side === 'old') {
      await endSessions(asOwner, owner.id)
      await mailEmailChangeRefused(ctx, { memberId: owner.id, to: owner.email })
    } else {
      await emit(asOwner, 'member.changed', { memberId: owner.id }, [owner.id])
    }
  })
}

/** Finds a link's change and locks its member first, as all code that changes addresses or secrets does. */
async function lockChange(ctx: Ctx, token: string) {
  const found = await findChange(ctx, token)
  if (!found) throw refuse('LINK_EXPIRED')
  const owner = await lockMember(ctx, found.memberId)
  // While we waited for the lock, the change may have been replaced, or this link used.
  const change = await findChange(ctx, token)
  if (!change) throw refuse('LINK_EXPIRED')
  return { ...change, owner }
}

async function findChange(ctx: Ctx, token: string) {
  type Change = {
    memberId: string
    side: 'old' | 'new'
    oldEmail: string
    newEmail: string
    confirmed: boolean
    otherConfirmed: boolean
  }
  const hash = hashOfSecret(token)
  const { rows } = await sql<Change>`
    select c.member_id, side, m.email as old_email, c.new_email,
      case side when 'old' then c.old_confirmed_at else c.new_confirmed_at end is not null as confirmed,
      case side when 'old' then c.new_confirmed_at else c.old_confirmed_at end is not null as other_confirmed
    from (
      select 'old' as side, e.* from email_changes e where e.old_hash = ${hash}
      union all select 'new', e.* from email_changes e where e.new_hash = ${hash}
    ) c join members m on m.id = c.member_id
    where c.expires_at > clock_timestamp() and m.erased_at is null`.execute(ctx.db)
  return rows[0]
}

/** Deletes changes of address that were not confirmed in time. */
export function deleteExpiredEmailChanges(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [{ table: 'email_changes', where: sql`expires_at < clock_timestamp()` }])
}
