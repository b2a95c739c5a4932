// What is mailed when the address of an account changes. None of it can be switched off.
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail.ts'
import type { MailProps, MailTemplates } from '#server/kit/mail.ts'
import {
  addressTaken,
  emailChanged,
  emailChangeRefused,
  newAddress,
  oldAddress,
} from './emails/email-change.tsx'

type Recipient = { memberId: string; to: string }

export const changeMails: MailTemplates = {
  'email-change-old': oldAddress,
  'email-change-new': newAddress,
  'email-change-taken': addressTaken,
  'email-changed': emailChanged,
  'email-change-refused': emailChangeRefused,
}

/** Asks the owner whether the change is theirs, with the secret of the old side. */
export function mailOldAddress(
  ctx: Ctx,
  { next, token, ...to }: Recipient & { next: string; token: string },
) {
  return send(ctx, to, 'email-change-old', { next, token })
}

/** Asks whoever reads the new mailbox, with the secret of the new side. */
export function mailNewAddress(
  ctx: Ctx,
  { username, token, ...to }: Recipient & { username: string | null; token: string },
) {
  return send(ctx, to, 'email-change-new', { username, token })
}

/** Tells the owner of an account that somebody, perhaps they themselves, wanted its address for another one. */
export function mailAddressTaken(ctx: Ctx, to: Recipient) {
  return send(ctx, to, 'email-change-taken', {})
}

/** Tells one of the two mailboxes that the address is another one now. */
export function mailEmailChanged(ctx: Ctx, { side, ...to }: Recipient & { side: 'old' | 'new' }) {
  return send(ctx, to, 'email-changed', { side })
}

/** Tells the owner who refused a change that somebody was in the account, and what to do. */
export function mailEmailChangeRefused(ctx: Ctx, to: Recipient) {
  return send(ctx, to, 'email-change-refused', {})
}

function send(ctx: Ctx, { memberId, to }: Recipient, template: string, props: MailProps) {
  return queueMail(ctx, { to, memberId, template, props, dedupeKey: `${template}:${newId()}` })
}
