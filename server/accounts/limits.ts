// How often the doors of the house may be knocked at. All of it is counted outside of any transaction, whether or not anybody has the
// address, and under a hash of it.
import type { Ctx } from '#server/kit/ctx.ts'
import { clearAttempts, hashedKey, hour, limitRate, limitTries, minute } from '#server/kit/http/rate-limit.ts'
import { readEmail } from './email-address.ts'

/** 5 sign-ups an hour from one address, and 5 mails an hour to one mailbox. A demo and its tests come from a single address. */
export async function limitSignUp(ctx: Ctx, email: string) {
  const { kit, client, config } = ctx
  const atMost = { hits: config.mode === 'demo' ? 60 : 5, seconds: hour }
  await limitRate(kit.db, `sign-up:${client?.address ?? ''}`, atMost)
  await limitRate(kit.db, `sign-up-to:${mailbox(email)}`, { hits: 5, seconds: hour })
}

/** 20 an hour from one address; to one mailbox 1 a minute and 5 an hour. */
export async function limitResend(ctx: Ctx, email: string) {
  const { kit, client } = ctx
  await limitRate(kit.db, `resend:${client?.address ?? ''}`, { hits: 20, seconds: hour })
  await limitRate(kit.db, `resend-to-now:${mailbox(email)}`, { hits: 1, seconds: minute })
  await limitRate(kit.db, `resend-to:${mailbox(email)}`, { hits: 5, seconds: hour })
}

/** 20 an hour from one address; to one mailbox 1 a minute and 5 an hour. Counted apart from confirmations. */
export async function limitReset(ctx: Ctx, email: string) {
  const { kit, client } = ctx
  await limitRate(kit.db, `reset:${client?.address ?? ''}`, { hits: 20, seconds: hour })
  await limitRate(kit.db, `reset-to-now:${mailbox(email)}`, { hits: 1, seconds: minute })
  await limitRate(kit.db, `reset-to:${mailbox(email)}`, { hits: 5, seconds: hour })
}

/** 5 an hour by one member; to one mailbox 1 a minute and 5 an hour. */
export async function limitEmailChange(ctx: Ctx, email: string) {
  const { kit, who } = ctx
  await limitRate(kit.db, `email-change:${who.id}`, { hits: 5, seconds: hour })
  await limitRate(kit.db, `email-change-to-now:${mailbox(email)}`, { hits: 1, seconds: minute })
  await limitRate(kit.db, `email-change-to:${mailbox(email)}`, { hits: 5, seconds: hour })
}

/** 10 tries of a password of one account, from wherever, then a growing delay. The 5 a minute from one address are the library's to count. */
export async function limitSignIn(ctx: Ctx, email: string) {
  await limitTries(ctx.kit.db, `sign-in-to:${mailbox(email)}`, 10)
}

/** The right password was given, or a new one set: tries start again. */
export async function forgiveSignIn(ctx: Ctx, email: string) {
  await clearAttempts(ctx.db, `sign-in-to:${mailbox(email)}`)
}

/** 10 tries of a code for one account, from wherever, then a growing delay. */
export async function limitSecondFactor(ctx: Ctx, memberId: string) {
  await limitTries(ctx.kit.db, `second-factor:${memberId}`, 10)
}

/** A right code was given: tries start again. */
export async function forgiveSecondFactor(ctx: Ctx, memberId: string) {
  await clearAttempts(ctx.db, `second-factor:${memberId}`)
}

/** As often as a link for a new password may be sent to one mailbox. Who is not signed in meets the gate behind this. */
export async function limitFirstPassword(ctx: Ctx) {
  const email = await findMyEmail(ctx)
  if (email !== undefined) await limitReset(ctx, email)
}

/** As often as one may sign in, counted together with that. Who is not signed in meets the gate behind this. */
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

/** Refuses INVALID_EMAIL: a text that names no mailbox has no counter. */
const mailbox = (email: string) => hashedKey(readEmail(email))
