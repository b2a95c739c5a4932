import { createElement } from 'react'
import { describeDevice } from '#server/accounts/device-names.ts'
import { truncatedAddress } from '#server/kit/client-address.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail.ts'
import type { MailTemplates } from '#server/kit/mail.ts'
import { writeMoment } from '#server/kit/moment.ts'
import { SecurityNotice, isNotice, noticeTexts } from './emails/security-notice.tsx'
import type { Notice } from './emails/security-notice.tsx'

/** Tells the owner what was done to the account's ways in, from which kind of device and network, so that nobody does it unseen. */
export async function mailSecurityNotice(
  ctx: Ctx,
  notice: { memberId: string; to: string; kind: Notice; left?: number; passkey?: string },
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
    dedupeKey: `security-notice:${newId()}`,
  })
}

export const signInMails: MailTemplates = {
  'security-notice': (props, { origin, demo }) => {
    const kind = isNotice(props.kind) ? props.kind : 'new-sign-in'
    const facts = {
      provider: text(props.provider) ?? 'the provider',
      left: Number(props.left ?? 0),
      passkey: text(props.passkey) ?? 'A passkey',
    }
    return {
      subject: noticeTexts[kind](facts).title,
      body: createElement(SecurityNotice, {
        kind,
        ...facts,
        device: text(props.device) ?? 'Unknown device',
        network: text(props.network),
        at: writeMoment(String(props.at), props),
        settingsHref: `${origin}/settings/security`,
        resetHref: `${origin}/reset-password`,
        origin,
        demo,
      }),
    }
  },
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
