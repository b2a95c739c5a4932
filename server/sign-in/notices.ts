import { describeDevice } from '#server/accounts/device-names.ts'
import { truncatedAddress } from '#server/kit/client-address.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail.ts'
import type { SecurityNotice } from './emails/security-notice.tsx'

/** Tells the owner what was done to the account's ways in, from which kind of device and network, so that nobody does it unseen. */
export async function mailSecurityNotice(
  ctx: Ctx,
  notice: { memberId: string; to: string; kind: SecurityNotice; left?: number; passkey?: string },
) {
  const { memberId, to, kind, left = null, passkey = null } = notice
  const reader = await ctx.db
    .selectFrom('members')
    .select(['locale', 'timeZone'])
    .where('id', '=', memberId)
    .executeTakeFirst()
  await queueMail(ctx, {
    to,
    memberId,
    template: 'security-notice',
    props: {
      ...reader,
      kind,
      left,
      passkey,
      provider: ctx.config.provider?.name ?? null,
      device: describeDevice(ctx.client?.userAgent ?? '').label,
      network: ctx.client ? truncatedAddress(ctx.client.address) : null,
      at: new Date().toISOString(),
    },
  })
}
