import { exportLinkHours } from '#contract/privacy.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail/mail.ts'
import { writeValidity } from '#server/kit/mail/moment.ts'
import { notify } from '#server/notifications/notices.ts'

type Export = { memberId: string; exportId: string }

const openSettings = { label: 'Open settings', href: '/settings/data' }

/** Informs the member that the archive is ready. Only the mail has the link. */
export async function notifyExportReady(ctx: Ctx, { memberId, exportId, token }: Export & { token: string }) {
  const expiry = await ctx.db
    .selectFrom('dataExports')
    .innerJoin('members', 'members.id', 'dataExports.memberId')
    .select(['dataExports.expiresAt', 'members.locale', 'members.timeZone'])
    .where('dataExports.id', '=', exportId)
    .executeTakeFirstOrThrow()
  await notify(ctx, {
    memberId,
    key: `export.ready:${exportId}`,
    kind: null,
    notice: {
      title: 'Your data is ready',
      message:
        'We emailed you the link to your archive. It works once, ' +
        `${writeValidity(expiry, `${exportLinkHours} hours`)}, while you’re signed in.`,
      priority: 'medium',
      action: openSettings,
    },
    mail: { template: 'export-ready', props: { ...expiry, exportId, token } },
  })
}

/** Informs the member that the archive failed: not enough space, or it took too long. */
export function notifyExportFailed(ctx: Ctx, { memberId, exportId }: Export) {
  return notify(ctx, {
    memberId,
    key: `export.failed:${exportId}`,
    kind: null,
    notice: {
      title: 'We couldn’t create your archive',
      message: 'Something went wrong on our side. Please ask for it again in a few minutes.',
      priority: 'medium',
      action: openSettings,
    },
  })
}

/** The last mail to the address of a deleted account. It has no owner, and is deleted once it is sent. */
export function mailErased(ctx: Ctx, { to, refundedCents }: { to: string; refundedCents: number }) {
  return queueMail(ctx, { to, memberId: null, template: 'account-erased', props: { refundedCents } })
}
