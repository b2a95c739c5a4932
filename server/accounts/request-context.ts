import { truncatedAddress } from '#server/kit/http/client-address.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { describeDevice } from './device-names.ts'

/**
 * From which kind of device and network something is done to an account, and when, for a mail that lets its owner judge whether it was
 * they: never the whole address. With how the owner reads moments.
 */
export async function readRequestContext(ctx: Ctx, memberId: string): Promise<MailProps> {
  const reader = await ctx.db
    .selectFrom('members')
    .select(['locale', 'timeZone'])
    .where('id', '=', memberId)
    .executeTakeFirst()
  return {
    ...reader,
    device: describeDevice(ctx.client?.userAgent ?? '').label,
    network: ctx.client ? truncatedAddress(ctx.client.address) : null,
    at: new Date().toISOString(),
  }
}

/** 'Chrome on Windows, network 203.0.113.0, Saturday, November 21 at 9:05 AM UTC', of the props that were read when it was done. */
export function formatRequestContext(props: MailProps): string {
  const { device, network, at } = props
  // A mail that was written by an older version says nothing of it.
  const moment = typeof at === 'string' ? writeMoment(at, props) : null
  return [device, network && `network ${String(network)}`, moment].filter(Boolean).join(', ')
}
