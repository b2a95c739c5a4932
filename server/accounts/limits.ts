// Rate limits of sign-up, sign-in and account changes. They are counted outside of transactions, for known
// and unknown addresses alike, under a hash of the address.
import type { Ctx } from '#server/kit/ctx.ts'
import { clearAttempts, hashedKey, hour, limitRate, limitTries, minute } from '#server/kit/http/rate-limit.ts'
import { readEmail } from './email-address.ts'

/**
 * 5 sign-ups an hour from one IP address, or 60 in a demo, where all share one. 5 mails an hour to one
 * mailbox.
 */
export async function limitSignUp(ctx: Ctx, email: string) {
  const { kit, client, config } = ctx
  const atMost = { hits: config.mode === 'demo' ? 60 : 5, seconds: hour }
  await limitRate(kit.db, `sign-up:${client?.address ?? ''}`, atMost)
  await limitRate(kit.db, `sign-up-to:${mailbox(email)}`, { hits: 5, seconds: hour })
}

/** 20 an hour from one IP address; 1 a minute and 5 an hour to one mailbox. */
export async function limitResend(ctx: Ctx, email: string) {
  const { kit, client } = ctx
  await limitRate(kit.db, `resend:${client?.address ?? ''}`, { hits: 20, seconds: hour })
  await limitRate(kit.db, `resend-to-now:${mailbox(email)}`, { hits: 1, seconds: minute })
  await limitRate(kit.db, `resend-to:${mailbox(email)}`, { hits: 5, seconds: hour })
}

/** 20 an hour from one IP address; 1 a minute and 5 an hour to one mailbox. Separate from confirmations. */
export async function limitReset(ctx: Ctx, email: string) {
  const { kit, client } = ctx
  await limitRate(kit.db, `reset:${client?.address ?? ''}`, { hits: 20, seconds: hour })
  await limitRate(kit.db, `reset-to-now:${mailbox(email)}`, { hits: 1, seconds: minute })
  await limitRate(kit.db, `reset-to:${mailbox(email)}`, { hits: 5, seconds: hour })
}

/** 5 an hour by one member; 1 a minute and 5 an hour to one mailbox. */
export async function limitEmailChange(ctx: Ctx, email: string) {
  const { kit, who } = ctx
  await limitRate(kit.db, `email-change:${who.id}`, { hits: 5, seconds: hour })
  await limitRate(kit.db, `email-change-to-now:${mailbox(email)}`, { hits: 1, seconds: minute })
  await limitRate(kit.db, `email-change-to:${mailbox(email)}`, { hits: 5, seconds: hour })
}

/**
 * 10 password attempts for one account, from any address, then a growing delay. The library limits attempts
 * from one IP address to 5 a minute.
 */
export async function limitSignIn(ctx: Ctx, email: string) {
  await limitTries(ctx.kit.db, `sign-in-to:${mailbox(email)}`, 10)
}

/** Resets the attempts, after the right password was entered or a new one was set. */
export async function forgiveSignIn(ctx: Ctx, email: string) {
  await clearAttempts(ctx.db, `sign-in-to:${mailbox(email)}`)
}

/** 10 attempts of a code for one account, from any address, then a growing delay. */
export async function limitSecondFactor(ctx: Ctx, memberId: string) {
  await limitTries(ctx.kit.db, `second-factor:${memberId}`, 10)
}

/** Resets the attempts, after a right code was entered. */
export async function forgiveSecondFactor(ctx: Ctx, memberId: string) {
  await clearAttempts(ctx.db, `second-factor:${memberId}`)
}

/** The limits of reset links apply. Callers without a session are refused by the gate that follows. */
export async function limitFirstPassword(ctx: Ctx) {
  const email = await findMyEmail(ctx)
  if (email !== undefined) await limitReset(ctx, email)
}

/** Counted together with sign-in attempts. Callers without a session are refused by the gate that follows. */
export async function limitConfirmation(ctx: Ctx) {
  const email = await findMyEmail(ctx)
  if (email === undefined) return
  await limitRate(ctx.kit.db, `confirm-identity:${ctx.who.id}`, { hits: 5, seconds: minute })
  await limitSignIn(ctx, email)
}

async function findMyEmail(ctx: Ctx) {
  if (ctx.who.id === null) return undefined
  const me = await ctx.db
    .selectFrom('members')
    .select('email')
    .where('id', '=', ctx.who.id)
    .executeTakeFirst()
  return me?.email
}

/** The counter's key for a mailbox. Refuses INVALID_EMAIL. */
const mailbox = (email: string) => hashedKey(readEmail(email))
