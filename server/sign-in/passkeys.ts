// Passkeys. A device uses a passkey only after it is unlocked, so a passkey counts as two factors. The
// sign-in library makes challenges and checks answers. This file limits, names and removes passkeys and sends
// notices.
import { sql } from 'kysely'
import { passkeyNameLength, passkeysMost } from '#contract/sign-in.ts'
import type { Passkey } from '#contract/sign-in.ts'
import { onlyCookies, tokenIn, withoutSession } from '#server/accounts/cookies.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMember } from '#server/members/members.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { answerWith, ask, codeIn, readBody } from './auth-requests.ts'
import type { Auth } from './better-auth.ts'
import { recordFailedAttempt } from './failed-attempt.ts'
import { notifyOfAction } from './notices.ts'
import { requireOtherSignInMethod } from './sign-in-methods.ts'

/** The challenge for a new passkey. Refuses NOT_FRESH, TOO_MANY_PASSKEYS. */
export async function offerRegistration(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  await readBody('/passkey/register-options', raw)
  await requireFewerPasskeys(await freshMember(ctx))
  const cookie = onlyCookies(ctx.config, raw.headers, ['session_token'])
  const answer = await ask(auth, ctx, '/passkey/generate-register-options', { cookie })
  if (!answer.ok) throw await unexpected(answer)
  return passOn(answer, (await answer.json()) as object)
}

/** Stores a new passkey. Refuses NOT_FRESH, TOO_MANY_PASSKEYS, and PASSKEY_REFUSED for a wrong answer. */
export async function register(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  const { response, name } = await readBody('/passkey/verify-registration', raw)
  const mine = await freshMember(ctx)
  const cookie = onlyCookies(ctx.config, raw.headers, ['session_token', 'passkey_challenge'])
  const answer = await ask(auth, ctx, '/passkey/verify-registration', {
    body: { response, ...(name && { name }) },
    cookie,
  })
  if (!answer.ok) {
    const code = await codeIn(answer)
    ctx.log.info({ code }, 'a new passkey was refused')
    throw refuse('PASSKEY_REFUSED')
  }
  // We use only the id of the library's answer.
  const { id } = (await answer.json()) as { id: string }
  const isStored = await inTransaction(mine, async (ctx) => {
    const { email } = await lockMember(ctx, ctx.who.id)
    // Of several that are added at once, each that finds too many goes before the next looks.
    if ((await countPasskeys(ctx)) > passkeysMost) {
      await remove(ctx, id)
      return false
    }
    const { name: called } = await ctx.db
      .updateTable('passkeys')
      .set({ name: sql<string>`left(name, ${passkeyNameLength.max})` })
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirstOrThrow()
    await notifyOfAction(ctx, {
      action: 'passkey_added',
      to: email,
      kind: 'passkey-added',
      passkey: called ?? '',
    })
    return true
  }).catch(async (error: unknown) => {
    await remove(ctx, id)
    throw error
  })
  if (!isStored) throw refuse('TOO_MANY_PASSKEYS')
  return answerWith(answer.headers.getSetCookie())
}

/** The challenge for an existing passkey: for any passkey when signing in, for mine when I am signed in. */
export async function offerChallenge(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  await readBody('/passkey/authenticate-options', raw)
  const cookie = ctx.who.id === null ? '' : onlyCookies(ctx.config, raw.headers, ['session_token'])
  const answer = await ask(auth, ctx, '/passkey/generate-authenticate-options', { cookie })
  if (!answer.ok) throw await unexpected(answer)
  return passOn(answer, { ...((await answer.json()) as object), userVerification: 'required' })
}

/**
 * Signs in with a passkey, or makes the current session fresh if it is its owner's. Refuses
 * INVALID_CREDENTIALS.
 */
export async function answerChallenge(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  const { response } = await readBody('/passkey/verify-authentication', raw)
  const cookie = onlyCookies(ctx.config, raw.headers, ['passkey_challenge'])
  const answer = await ask(auth, ctx, '/passkey/verify-authentication', { body: { response }, cookie })
  const token = answer.ok ? tokenIn(ctx.config, answer) : null
  if (token === null) {
    const known = await findOwner(ctx, response.id)
    await recordFailedAttempt(ctx, 'sign_in_failed', 'passkey', known ?? null)
    if (answer.status >= 500) throw await unexpected(answer)
    throw refuse('INVALID_CREDENTIALS', { reason: 'This passkey did not work. Please try again.' })
  }
  const signInResult = await completeSignIn(auth, ctx, { token, method: 'passkey', headers: raw.headers })
  await ctx.db
    .updateTable('passkeys')
    .set({ lastUsedAt: sql<string>`clock_timestamp()` })
    .where('credentialId', '=', String(response.id))
    .execute()
  const cookies = [...answer.headers.getSetCookie(), ...signInResult.cookies]
  return answerWith(signInResult.isConfirmation ? withoutSession(cookies) : cookies)
}

/** My passkeys, the oldest first. */
export function listPasskeys(ctx: MemberCtx): Promise<Passkey[]> {
  return ctx.db
    .selectFrom('passkeys')
    .select(['id', sql<string>`coalesce(name, 'Passkey')`.as('name'), 'createdAt', 'lastUsedAt'])
    .where('memberId', '=', ctx.who.id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Renames my passkey. Refuses NOT_FOUND. */
export async function renamePasskey(ctx: MemberCtx, { id, name }: { id: string; name: string }) {
  await inTransaction(ctx, async (ctx) => {
    const renamed = await ctx.db
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('memberId', '=', ctx.who.id)
      .executeTakeFirst()
    if (renamed.numUpdatedRows === 0n) throw refuse('NOT_FOUND')
    await emit(ctx, 'member.changed', { memberId: ctx.who.id }, [ctx.who.id])
  })
}

/**
 * Removes my passkey. Refuses NOT_FRESH, NOT_FOUND, and NO_OTHER_SIGN_IN_METHOD for my last sign-in method.
 */
export async function removePasskey(ctx: MemberCtx, { id }: { id: string }) {
  await requireFresh(ctx)
  await inTransaction(ctx, async (ctx) => {
    const { email } = await lockMember(ctx, ctx.who.id)
    const removed = await ctx.db
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('memberId', '=', ctx.who.id)
      .returning('name')
      .executeTakeFirst()
    if (!removed) throw refuse('NOT_FOUND')
    await requireOtherSignInMethod(ctx)
    await notifyOfAction(ctx, {
      action: 'passkey_removed',
      to: email,
      kind: 'passkey-removed',
      passkey: removed.name ?? '',
    })
  })
}

async function freshMember(ctx: Ctx): Promise<MemberCtx> {
  if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
  const mine = memberOf(ctx)
  await requireFresh(mine)
  return mine
}

async function requireFewerPasskeys(ctx: MemberCtx) {
  if ((await countPasskeys(ctx)) >= passkeysMost) throw refuse('TOO_MANY_PASSKEYS')
}

async function countPasskeys(ctx: MemberCtx) {
  const { count } = await ctx.db
    .selectFrom('passkeys')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('memberId', '=', ctx.who.id)
    .executeTakeFirstOrThrow()
  return count
}

const remove = (ctx: Ctx, id: string) => ctx.db.deleteFrom('passkeys').where('id', '=', id).execute()

async function findOwner(ctx: Ctx, credentialId: unknown) {
  if (typeof credentialId !== 'string') return undefined
  const found = await ctx.db
    .selectFrom('passkeys')
    .select('memberId')
    .where('credentialId', '=', credentialId)
    .executeTakeFirst()
  return found?.memberId
}

/**
 * Passes on the library's options for the device. Their only secret is the challenge, which this browser may
 * get.
 */
function passOn(answer: Response, options: object) {
  return answerWith(answer.headers.getSetCookie(), options)
}

async function unexpected(answer: Response) {
  return new Error(`The sign-in library answered ${answer.status} ${await codeIn(answer)}.`)
}
