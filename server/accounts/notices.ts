// Mails about an account and access to it. They can't be switched off, and go by mail alone: the recipient
// may not be signed in, or may not have an account.
import { sql } from 'kysely'
import { emailChangeMinutes, secretLifetimeMinutes } from '#contract/accounts.ts'
import { safeReturnPath } from '#contract/return-path.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail/mail.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { readRequestContext } from './request-context.ts'
import { issueSecret } from './secrets.ts'

type Recipient = { memberId: string; to: string }

/** Sends a new confirmation link, replacing an older one. `returnTo` is kept if it is a path of ours. */
export async function mailConfirmation(
  ctx: Ctx,
  { username, returnTo: asked, ...to }: Recipient & { username: string; returnTo?: string | undefined },
) {
  const token = await issueSecret(ctx, {
    memberId: to.memberId,
    purpose: 'verify_email',
    minutes: secretLifetimeMinutes,
  })
  const returnTo = asked === undefined ? null : safeReturnPath(asked, ctx.config.origin)
  const expiry = await readExpiry(ctx, to.memberId, secretLifetimeMinutes)
  await queueMail(ctx, { ...to, template: 'verify-email', props: { ...expiry, username, token, returnTo } })
}

/** Informs the owner of a confirmed address that someone, maybe the owner, tried to sign up with it. */
export function mailAccountExists(ctx: Ctx, to: Recipient) {
  return queueMail(ctx, { ...to, template: 'account-exists', props: {} })
}

/** Sends a link for a new password, which replaces an older one. */
export async function mailReset(ctx: Ctx, { username, ...to }: Recipient & { username: string | null }) {
  const token = await issueSecret(ctx, {
    memberId: to.memberId,
    purpose: 'reset_password',
    minutes: secretLifetimeMinutes,
  })
  const expiry = await readExpiry(ctx, to.memberId, secretLifetimeMinutes)
  await queueMail(ctx, { ...to, template: 'reset-password', props: { ...expiry, username, token } })
}

/** Sends a link that confirms a member's address again, which replaces an older one. */
export async function mailAddressConfirmation(ctx: Ctx, to: Recipient) {
  const { memberId } = to
  const token = await issueSecret(ctx, {
    memberId,
    purpose: 'confirm_address',
    minutes: secretLifetimeMinutes,
  })
  const expiry = await readExpiry(ctx, memberId, secretLifetimeMinutes)
  await queueMail(ctx, { ...to, template: 'confirm-address', props: { ...expiry, token } })
}

/** Informs the owner that the password was changed, from where, and which login sessions ended. */
export async function mailPasswordChanged(
  ctx: Ctx,
  { ended, ...to }: Recipient & { ended: 'all' | 'others' | 'none' },
) {
  const props = { ...(await readRequestContext(ctx, to.memberId)), ended }
  await queueMail(ctx, { ...to, template: 'password-changed', props })
}

/** Asks the owner to confirm a change of address, with the secret of the old side. */
export async function mailOldAddress(
  ctx: Ctx,
  { next, token, ...to }: Recipient & { next: string; token: string },
) {
  const expiry = await readExpiry(ctx, to.memberId, emailChangeMinutes)
  await queueMail(ctx, { ...to, template: 'email-change-old', props: { ...expiry, next, token } })
}

/** Asks the reader of the new mailbox to confirm it, with the secret of the new side. */
export async function mailNewAddress(
  ctx: Ctx,
  { username, token, ...to }: Recipient & { username: string | null; token: string },
) {
  const expiry = await readExpiry(ctx, to.memberId, emailChangeMinutes)
  await queueMail(ctx, { ...to, template: 'email-change-new', props: { ...expiry, username, token } })
}

/** Informs the owner of an account that its address was requested for another account. */
export function mailAddressTaken(ctx: Ctx, to: Recipient) {
  return queueMail(ctx, { ...to, template: 'email-change-taken', props: {} })
}

/** Informs one of the two mailboxes that the address was changed. */
export function mailEmailChanged(ctx: Ctx, { side, ...to }: Recipient & { side: 'old' | 'new' }) {
  return queueMail(ctx, { ...to, template: 'email-changed', props: { side } })
}

/** Informs the owner, who reported a change, that someone was signed in to the account, and what to do. */
export function mailEmailChangeRefused(ctx: Ctx, to: Recipient) {
  return queueMail(ctx, { ...to, template: 'email-change-refused', props: {} })
}

/** When a link sent now expires, and the member's locale and time zone to write that in. */
function readExpiry(ctx: Ctx, memberId: string, minutes: number): Promise<MailProps> {
  return ctx.db
    .selectFrom('members')
    .select(['locale', 'timeZone'])
    .select(sql<string>`clock_timestamp() + make_interval(mins => ${minutes})`.as('expiresAt'))
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
}
