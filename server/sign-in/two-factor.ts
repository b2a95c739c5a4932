// Two-factor authentication: an authenticator app and ten recovery codes. The secret and the codes are
// encrypted in the sign-in library's table and format, because the library checks them at sign-in. Staff must
// use it.
import { sql } from 'kysely'
import { requireFresh } from '#server/accounts/identity.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { claimOnce, hashedKey } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMember, setTwoFactor } from '#server/members/members.ts'
import { seal, unseal } from './better-auth.ts'
import { mailSecurityNotice, notifyOfAction } from './notices.ts'
import { asRecoveryCode, newRecoveryCodes, openCodes, sealCodes } from './recovery-codes.ts'
import { asTotp, base32, isTotp, newTotpSecret, totpAddress } from './totp.ts'

/**
 * Returns a new secret for an app. It replaces the current app when `finishTwoFactor` gets a code. Refuses
 * NOT_FRESH.
 */
export async function startTwoFactor(ctx: MemberCtx) {
  await requireFresh(ctx)
  const secret = newTotpSecret()
  const sealed = await seal(ctx.config, secret)
  const none = await sealCodes(ctx.config, [])
  return inTransaction(ctx, async (ctx) => {
    const { email } = await lockMember(ctx, ctx.who.id)
    await sql`
      insert into two_factor_secrets (id, member_id, secret, backup_codes, verified, pending_secret)
      values (${newId()}, ${ctx.who.id}, ${sealed}, ${none}, false, ${sealed})
      on conflict (member_id) do update set pending_secret = excluded.pending_secret`.execute(ctx.db)
    return { uri: totpAddress(secret, email), secret: base32(secret) }
  })
}

/**
 * Switches two-factor on with a first code, and returns new recovery codes. Refuses NOT_FRESH, WRONG_CODE.
 */
export async function finishTwoFactor(ctx: MemberCtx, { code }: { code: string }) {
  await requireFresh(ctx)
  return inTransaction(ctx, async (ctx) => {
    const { email } = await lockMember(ctx, ctx.who.id)
    const pending = (await findSecrets(ctx))?.pendingSecret
    const isRight =
      pending && (await isCodeOf(ctx, pending, asTotp(code))) && (await claimCode(ctx, ctx.who.id, code))
    if (!isRight) throw refuse('WRONG_CODE', { field: 'code' })
    const codes = newRecoveryCodes()
    await ctx.db
      .updateTable('twoFactorSecrets')
      .set({
        secret: pending,
        pendingSecret: null,
        verified: true,
        backupCodes: await sealCodes(ctx.config, codes),
      })
      .where('memberId', '=', ctx.who.id)
      .execute()
    await setTwoFactor(ctx, ctx.who.id, true)
    await notifyOfAction(ctx, { action: 'two_factor_on', to: email, kind: 'two-factor-on' })
    return { recoveryCodes: codes }
  })
}

/**
 * Replaces my recovery codes and returns the new ones. Refuses NOT_FRESH, and NOT_FOUND if two-factor is off.
 */
export async function renewRecoveryCodes(ctx: MemberCtx) {
  await requireFresh(ctx)
  return inTransaction(ctx, async (ctx) => {
    const { email } = await lockMember(ctx, ctx.who.id)
    const codes = newRecoveryCodes()
    const renewed = await ctx.db
      .updateTable('twoFactorSecrets')
      .set({ backupCodes: await sealCodes(ctx.config, codes) })
      .where('memberId', '=', ctx.who.id)
      .where('verified', '=', true)
      .executeTakeFirst()
    if (renewed.numUpdatedRows === 0n) throw refuse('NOT_FOUND')
    await notifyOfAction(ctx, { action: 'recovery_codes_renewed', to: email, kind: 'recovery-codes-renewed' })
    return { recoveryCodes: codes }
  })
}

/** Switches two-factor off. Refuses NOT_FRESH, and TWO_FACTOR_REQUIRED for staff. */
export async function stopTwoFactor(ctx: MemberCtx) {
  await requireFresh(ctx)
  await inTransaction(ctx, async (ctx) => {
    const { email, role, twoFactor } = await lockMember(ctx, ctx.who.id)
    if (role !== 'user') throw refuse('TWO_FACTOR_REQUIRED')
    await ctx.db.deleteFrom('twoFactorSecrets').where('memberId', '=', ctx.who.id).execute()
    if (!twoFactor) return
    await setTwoFactor(ctx, ctx.who.id, false)
    await notifyOfAction(ctx, { action: 'two_factor_off', to: email, kind: 'two-factor-off' })
  })
}

/** How many unused recovery codes I have. */
export async function countRecoveryCodes(ctx: MemberCtx): Promise<number> {
  const secrets = await findSecrets(ctx)
  return secrets?.verified ? (await openCodes(ctx.config, secrets.backupCodes)).length : 0
}

/**
 * Whether this is a code of my app or an unused recovery code of mine, which it uses up. In the open
 * transaction.
 */
export async function isMyCode(ctx: MemberCtx, code: string): Promise<boolean> {
  const { email } = await lockMember(ctx, ctx.who.id)
  const secrets = await findSecrets(ctx)
  if (!secrets?.verified) return false
  if (await isCodeOf(ctx, secrets.secret, asTotp(code))) return true
  const codes = await openCodes(ctx.config, secrets.backupCodes)
  const left = codes.filter((one) => one !== asRecoveryCode(code))
  if (left.length === codes.length) return false
  // The library also uses up codes, without this lock, so the update requires an unchanged list.
  const used = await ctx.db
    .updateTable('twoFactorSecrets')
    .set({ backupCodes: await sealCodes(ctx.config, left) })
    .where('memberId', '=', ctx.who.id)
    .where('backupCodes', '=', secrets.backupCodes)
    .executeTakeFirst()
  if (used.numUpdatedRows === 0n) return false
  await notifyOfAction(ctx, {
    action: 'recovery_code_used',
    to: email,
    kind: 'recovery-code-used',
    left: left.length,
  })
  return true
}

/** Logs and mails that the library used up a recovery code at a sign-in. */
export async function notifyOfRecoveryCode(ctx: Ctx, memberId: string) {
  const secrets = await ctx.db
    .selectFrom('twoFactorSecrets')
    .innerJoin('members', 'members.id', 'twoFactorSecrets.memberId')
    .select(['backupCodes', 'email'])
    .where('memberId', '=', memberId)
    .executeTakeFirst()
  if (!secrets) return
  const { length } = await openCodes(ctx.config, secrets.backupCodes)
  await inTransaction(ctx, async (ctx) => {
    await recordActivity(ctx, 'recovery_code_used', {}, memberId)
    await mailSecurityNotice(ctx, { memberId, to: secrets.email, kind: 'recovery-code-used', left: length })
  })
}

/** Claims a code of an app, so that it works only once. False if it was used before. */
export function claimCode(ctx: Ctx, memberId: string, code: string) {
  return claimOnce(ctx.kit.db, `code:${hashedKey(`${memberId}:${asTotp(code)}`)}`, 120)
}

async function isCodeOf(ctx: Ctx, sealed: string, code: string) {
  return isTotp(await unseal(ctx.config, sealed), code, Date.now())
}

function findSecrets(ctx: MemberCtx) {
  return ctx.db
    .selectFrom('twoFactorSecrets')
    .select(['secret', 'pendingSecret', 'backupCodes', 'verified'])
    .where('memberId', '=', ctx.who.id)
    .executeTakeFirst()
}
