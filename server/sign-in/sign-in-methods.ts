// My sign-in methods: a password, a provider, passkeys. The last one can't be removed.
import { requireFresh } from '#server/accounts/identity.ts'
import { listMethods, removeProvider } from '#server/accounts/login-methods.ts'
import { mailReset } from '#server/accounts/notices.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMember } from '#server/members/members.ts'
import { notifyOfAction } from './notices.ts'

/**
 * Disconnects the provider. Refuses NOT_FRESH, NOT_FOUND, and NO_OTHER_SIGN_IN_METHOD for my last sign-in
 * method.
 */
export async function unlinkProvider(ctx: MemberCtx) {
  await requireFresh(ctx)
  await inTransaction(ctx, async (ctx) => {
    const { email } = await lockMember(ctx, ctx.who.id)
    const provider = await removeProvider(ctx)
    if (provider === null) throw refuse('NOT_FOUND')
    await requireOtherSignInMethod(ctx)
    await notifyOfAction(ctx, {
      action: 'provider_disconnected',
      to: email,
      kind: 'provider-disconnected',
      provider,
    })
  })
}

/** Mails me a link for a first password. Refuses CONFLICT if I have one; `changePassword` changes it. */
export async function setFirstPassword(ctx: MemberCtx) {
  await inTransaction(ctx, async (ctx) => {
    const { email, username } = await lockMember(ctx, ctx.who.id)
    const methods = await listMethods(ctx)
    if (methods.some(({ providerId }) => providerId === 'credential')) throw refuse('CONFLICT')
    await mailReset(ctx, { memberId: ctx.who.id, to: email, username })
  })
}

/** Refuses NO_OTHER_SIGN_IN_METHOD when nothing is left to sign in with. */
export async function requireOtherSignInMethod(ctx: MemberCtx) {
  const passkey = ctx.db.selectFrom('passkeys').select('id').where('memberId', '=', ctx.who.id)
  const left = [...(await listMethods(ctx)), ...(await passkey.execute())]
  if (left.length === 0) throw refuse('NO_OTHER_SIGN_IN_METHOD')
}
