import { truncatedAddress } from '#server/kit/http/client-address.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { describeDevice } from './device-names.ts'

/**
 * Device, network and time of a request, for a mail that lets the owner judge whether they did it, and the
 * owner's locale and time zone. Never contains the whole IP address.
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

/**
 * Formats the props of `readRequestContext`: 'Chrome on Windows, network 203.0.113.0, Saturday, November 21
 * at …'.
 */
export function formatRequestContext(props: MailProps): string {
  const { device, network, at } = props
  // Mails queued by an older version have no time.
  const moment = typeof at === 'string' ? writeMoment(at, props) : null
  return [device, network && `network ${String(network)}`, moment].filter(Boolean).join(', ')
}
