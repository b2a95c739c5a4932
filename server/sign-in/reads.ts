import type { Security } from '#contract/sign-in.ts'
import { findFreshUntil } from '#server/accounts/identity.ts'
import { listMethods } from '#server/accounts/login-methods.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { listPasskeys } from './passkeys.ts'
import { isProviderUsable } from './provider-discovery.ts'
import { countRecoveryCodes } from './two-factor.ts'

/**
 * My sign-in methods, and until when this login session is fresh. Leaves out a provider that is no longer
 * offered.
 */
export async function getSecurity(ctx: MemberCtx): Promise<Security> {
  const { provider } = ctx.config
  const me = await ctx.db
    .selectFrom('members')
    .select(['role', 'twoFactorEnabled'])
    .where('id', '=', ctx.who.id)
    .executeTakeFirstOrThrow()
  const methods = await listMethods(ctx)
  const connection = methods.find(({ providerId }) => providerId === provider?.id)
  const isOffered =
    provider !== null && (connection !== undefined || (await isProviderUsable(provider, ctx.log)))
  return {
    hasPassword: methods.some(({ providerId }) => providerId === 'credential'),
    provider: isOffered
      ? { id: provider.id, name: provider.name, connectedAt: connection?.createdAt ?? null }
      : null,
    twoFactor: {
      enabled: me.twoFactorEnabled,
      required: me.role !== 'user',
      recoveryCodesLeft: await countRecoveryCodes(ctx),
    },
    passkeys: await listPasskeys(ctx),
    freshUntil: await findFreshUntil(ctx),
  }
}
