// Reads a user's profile from the provider. Accounts are found by issuer and subject, never by address. An
// account with the same address is not connected automatically; its owner has to sign in and connect it.
import { z } from 'zod'
import { nameLength } from '#contract/members.ts'
import type { ProviderError } from '#contract/sign-in.ts'
import { asLine } from '#contract/kit.ts'
import { parseEmail } from '#server/accounts/email-address.ts'
import { addProvider } from '#server/accounts/login-methods.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { ProviderConfig } from '#server/kit/config.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs, memberOf } from '#server/kit/ctx.ts'
import { violates, inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { addMember, lockMember } from '#server/members/members.ts'
import { notifyOfAction } from './notices.ts'

const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.string().max(320),
  email_verified: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
  name: z.string().optional(),
})

/**
 * Reads the profile in a token that the library has verified. Adds an account for a new user, or connects the
 * account of `linkTo`. Returns the profile that the library compares with its rows; null if we don't accept
 * it.
 */
export async function receiveProfile(
  ctx: Ctx,
  { provider, idToken, linkTo }: { provider: ProviderConfig; idToken: string; linkTo: string | null },
) {
  const read = claims.safeParse(payloadOf(idToken))
  // The library compares with the issuer in the provider's description. Only the configured issuer counts.
  if (!read.success || read.data.iss !== provider.issuer) return null
  const { sub: subject, name = '' } = read.data
  const email = parseEmail(read.data.email)
  if (email === null) return null
  const emailVerified = read.data.email_verified === true || read.data.email_verified === 'true'
  if (linkTo !== null) {
    const reason = await connect(ctx, { memberId: linkTo, provider, subject, emailVerified })
    if (reason !== null) return refuseBy(ctx, reason)
  } else if (emailVerified) {
    await addNewcomer(ctx, { provider, subject, email, name: fitForName(name) })
  } else {
    return refuseBy(ctx, 'email_not_verified')
  }
  return { id: subject, sub: subject, email, emailVerified, name: '' }
}

// The library has one code for all refused profiles, so we keep our own reason for the answer to the same
// request.
const whyNot = new WeakMap<Ctx, ProviderError>()

/** Why we did not accept this request's profile. Undefined if the library decided. */
export function whyNotAccepted(ctx: Ctx): ProviderError | undefined {
  return whyNot.get(ctx)
}

function refuseBy(ctx: Ctx, reason: ProviderError) {
  whyNot.set(ctx, reason)
  return null
}

function payloadOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

function fitForName(text: string) {
  return asLine(text).trim().slice(0, nameLength.display).toWellFormed()
}

/** Adds an account for a new user in one transaction. They choose a username next. */
async function addNewcomer(
  ctx: Ctx,
  {
    provider,
    subject,
    email,
    name,
  }: { provider: ProviderConfig; subject: string; email: string; name: string },
) {
  await inTransaction(ctx, async (ctx) => {
    if (await isConnected(ctx, { provider, subject })) return
    // The address may have an account, also from a simultaneous return. That member stays the only one.
    const memberId = await addMember(ctx, { email, emailVerified: true, displayName: name })
    if (memberId === null) return
    if (!(await addProvider(ctx, { memberId, providerId: provider.id, subject }))) throw refuse('CONFLICT')
    const asNewcomer = actAs(ctx, { role: 'user', id: memberId, sessionId: null, twoFactor: false })
    await recordActivity(asNewcomer, 'signed_up', { method: 'provider', provider: provider.id })
    await emit(asNewcomer, 'member.verified', { memberId }, [memberId])
  })
}

async function isConnected(ctx: Ctx, { provider, subject }: { provider: ProviderConfig; subject: string }) {
  const method = await ctx.db
    .selectFrom('loginMethods')
    .select('id')
    .where('providerId', '=', provider.id)
    .where('accountId', '=', subject)
    .executeTakeFirst()
  return method !== undefined
}

/**
 * Connects the provider's account to the signed-in member who asked for it, or returns why not. If another
 * member has connected it, nothing changes and the library refuses it.
 */
async function connect(
  ctx: Ctx,
  {
    memberId,
    provider,
    subject,
    emailVerified,
  }: { memberId: string; provider: ProviderConfig; subject: string; emailVerified: boolean },
): Promise<ProviderError | null> {
  // The member who started this may have signed out since, or another member may have signed in.
  if (ctx.who.id !== memberId) return 'expired'
  if (!emailVerified) return 'email_not_verified'
  try {
    await inTransaction(ctx, async (ctx) => {
      const { email } = await lockMember(ctx, memberId)
      if (!(await addProvider(ctx, { memberId, providerId: provider.id, subject }))) return
      await notifyOfAction(memberOf(ctx), {
        action: 'provider_connected',
        to: email,
        kind: 'provider-connected',
        provider: provider.id,
      })
    })
    return null
  } catch (error) {
    if (violates(error, 'login_methods_one_provider')) return 'another_connected'
    throw error
  }
}
