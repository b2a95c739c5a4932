// Rate limits of sign-up, sign-in and account changes. They are counted outside of transactions, for known
// and unknown addresses alike, under a hash of the address.
import { mailAgainSeconds } from '#contract/accounts.ts'
import { demoSignUpsPerHour } from '#contract/demo.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import {
  clearAttempts,
  countTries,
  hashedKey,
  hour,
  limitRate,
  limitTries,
  minute,
} from '#server/kit/http/rate-limit.ts'
import { mailboxOf, readEmail } from './email-address.ts'

/**
 * 5 sign-ups an hour from one IP address, or 60 in a demo, where all share one. 5 mails an hour to one
 * mailbox.
 */
export async function limitSignUp(ctx: Ctx, email: string) {
  const { kit, client, config } = ctx
  const atMost = { hits: config.mode === 'demo' ? demoSignUpsPerHour : 5, seconds: hour }
  await limitRate(kit.db, `sign-up:${client?.address ?? ''}`, atMost)
  await limitRate(kit.db, `sign-up-to:${mailboxKey(email)}`, { hits: 5, seconds: hour })
}

/** 20 an hour from one IP address; 1 a minute and 5 an hour to one mailbox. */
export async function limitResend(ctx: Ctx, email: string) {
  const { kit, client } = ctx
  await limitRate(kit.db, `resend:${client?.address ?? ''}`, { hits: 20, seconds: hour })
  await limitRate(kit.db, `resend-to-now:${mailboxKey(email)}`, { hits: 1, seconds: mailAgainSeconds })
  await limitRate(kit.db, `resend-to:${mailboxKey(email)}`, { hits: 5, seconds: hour })
}

/** 20 an hour from one IP address; 1 a minute and 5 an hour to one mailbox. Separate from confirmations. */
export async function limitReset(ctx: Ctx, email: string) {
  const { kit, client } = ctx
  await limitRate(kit.db, `reset:${client?.address ?? ''}`, { hits: 20, seconds: hour })
  await limitRate(kit.db, `reset-to-now:${mailboxKey(email)}`, { hits: 1, seconds: mailAgainSeconds })
  await limitRate(kit.db, `reset-to:${mailboxKey(email)}`, { hits: 5, seconds: hour })
}

/** 1 a minute and 5 an hour to my mailbox. Callers without a session are refused by the gate that follows. */
export async function limitAddressConfirmation(ctx: Ctx) {
  const email = await findMyEmail(ctx)
  if (email === undefined) return
  await limitRate(ctx.kit.db, `address-now:${mailboxKey(email)}`, { hits: 1, seconds: mailAgainSeconds })
  await limitRate(ctx.kit.db, `address:${mailboxKey(email)}`, { hits: 5, seconds: hour })
}

/** 5 an hour by one member; 1 a minute and 5 an hour to one mailbox. */
export async function limitEmailChange(ctx: Ctx, email: string) {
  const { kit, who } = ctx
  await limitRate(kit.db, `email-change:${who.id}`, { hits: 5, seconds: hour })
  await limitRate(kit.db, `email-change-to-now:${mailboxKey(email)}`, { hits: 1, seconds: mailAgainSeconds })
  await limitRate(kit.db, `email-change-to:${mailboxKey(email)}`, { hits: 5, seconds: hour })
}

/**
 * A known device of the account has its own 10 attempts, then a growing delay: no one else's attempts count.
 * All other browsers: 5 a minute from one IP address. For one account, the first 5 attempts of each address
 * share 10 attempts, and all further ones share another 5, then a growing delay each. So one address alone
 * cannot use up the attempts of the others, and many addresses guess no more often than one.
 */
export async function limitSignIn(ctx: Ctx, email: string, device: string | null) {
  const { db } = ctx.kit
  if (device !== null) return limitTries(db, ofDevice(device), 10)
  await limitRate(db, `sign-in:${ctx.client?.address ?? ''}`, { hits: 5, seconds: minute })
  const isFirst = (await countTries(db, ofPair(ctx, email))) <= 5
  return isFirst ? limitTries(db, ofAccount(email), 10) : limitTries(db, ofAccountAgain(email), 5)
}

/** Resets the attempts, after the right password was entered or a new one was set. */
export async function forgiveSignIn(ctx: Ctx, email: string, device: string | null = null) {
  const ofOthers = [ofAccount(email), ofAccountAgain(email), ofPair(ctx, email)]
  await clearAttempts(ctx.db, ...ofOthers, ...(device === null ? [] : [ofDevice(device)]))
}

const ofDevice = (device: string) => `sign-in-device:${device}`
const ofAccount = (email: string) => `sign-in-to:${hashedKey(readEmail(email))}`
const ofAccountAgain = (email: string) => `sign-in-again-to:${hashedKey(readEmail(email))}`
const ofPair = ({ client }: Ctx, email: string) =>
  `sign-in-pair:${hashedKey(`${client?.address ?? ''} ${readEmail(email)}`)}`

/**
 * 10 attempts of a code, then a growing delay: for each known device of the account, and for all other
 * browsers together. Those may also make 10 a minute from one IP address.
 */
export async function limitSecondFactor(ctx: Ctx, memberId: string, device: string | null) {
  if (device === null) {
    const address = ctx.client?.address ?? ''
    await limitRate(ctx.kit.db, `second-factor-from:${address}`, { hits: 10, seconds: minute })
  }
  await limitTries(ctx.kit.db, ofCodes(memberId, device), 10)
}

/** Resets the attempts, after a right code was entered. */
export async function forgiveSecondFactor(ctx: Ctx, memberId: string, device: string | null) {
  await clearAttempts(ctx.db, ofCodes(memberId, device))
}

const ofCodes = (memberId: string, device: string | null) =>
  device === null ? `second-factor:${memberId}` : `second-factor-device:${memberId}:${device}`

/** The limits of reset links apply. Callers without a session are refused by the gate that follows. */
export async function limitFirstPassword(ctx: Ctx) {
  const email = await findMyEmail(ctx)
  if (email !== undefined) await limitReset(ctx, email)
}

/**
 * 5 a minute and 10 attempts, then a growing delay, for each login session. No sign-in counts, and no other
 * session. Callers without a session are refused by the gate that follows.
 */
export async function limitConfirmation(ctx: Ctx) {
  if (ctx.who.id === null) return
  await limitRate(ctx.kit.db, `confirm-now:${ofSession(ctx)}`, { hits: 5, seconds: minute })
  await limitTries(ctx.kit.db, `confirm:${ofSession(ctx)}`, 10)
}

/** Resets the attempts, after the identity was confirmed. */
export async function forgiveConfirmation(ctx: MemberCtx) {
  await clearAttempts(ctx.db, `confirm:${ofSession(ctx)}`)
}

const ofSession = ({ who }: Ctx) => `${who.id}:${'sessionId' in who ? who.sessionId : ''}`

async function findMyEmail(ctx: Ctx) {
  if (ctx.who.id === null) return undefined
  const me = await ctx.db
    .selectFrom('members')
    .select('email')
    .where('id', '=', ctx.who.id)
    .executeTakeFirst()
  return me?.email
}

/** What the keys of the counters of a stored address hold: the address, and its mailbox. */
export function counterKeysOf(email: string): string[] {
  return [hashedKey(email), hashedKey(mailboxOf(email))]
}

/** The counter's key for a mailbox, however its address is written. Refuses INVALID_EMAIL. */
export const mailboxKey = (email: string) => hashedKey(mailboxOf(readEmail(email)))
