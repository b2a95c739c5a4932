import { readRequestContext } from '#server/accounts/request-context.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { emit } from '#server/kit/live/events.ts'
import { queueMail } from '#server/kit/mail/mail.ts'
import type { SecurityNotice } from './emails/security-notice.tsx'

type Notice = { to: string; kind: SecurityNotice; left?: number; passkey?: string }

/**
 * Records a change of my sign-in methods as `action`, mails me, and refreshes my screens. In the open
 * transaction.
 */
export async function notifyOfAction(
  ctx: MemberCtx,
  { action, provider, ...notice }: Notice & { action: string; provider?: string },
) {
  const memberId = ctx.who.id
  await recordActivity(ctx, action, { provider })
  await mailSecurityNotice(ctx, { memberId, ...notice })
  await emit(ctx, 'member.changed', { memberId }, [memberId])
}

/** Informs the owner of a change to their sign-in methods, with the kind of device and the network. */
export async function mailSecurityNotice(ctx: Ctx, notice: Notice & { memberId: string }) {
  const { memberId, to, kind, left = null, passkey = null } = notice
  await queueMail(ctx, {
    to,
    memberId,
    template: 'security-notice',
    props: {
      ...(await readRequestContext(ctx, memberId)),
      kind,
      left,
      passkey,
      provider: ctx.config.provider?.name ?? null,
    },
  })
}
