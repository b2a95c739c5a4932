import { exportLinkHours } from '#contract/privacy.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail/mail.ts'
import { notify } from '#server/notifications/notices.ts'

type Export = { memberId: string; exportId: string }

const openSettings = { label: 'Open settings', href: '/settings/data' }

/** The archive is there; the mail alone has the link. */
export function notifyExportReady(ctx: Ctx, { memberId, exportId, token }: Export & { token: string }) {
  return notify(ctx, {
    memberId,
    key: `export.ready:${exportId}`,
    kind: null,
    notice: {
      title: 'Your data is ready',
      message: `We emailed you the link to your archive. It works once, for ${exportLinkHours} hours, while you are signed in.`,
      priority: 'medium',
      action: openSettings,
    },
    mail: { template: 'export-ready', props: { exportId, token } },
  })
}

/** There was no room for the archive, or it took too long. */
export function notifyExportFailed(ctx: Ctx, { memberId, exportId }: Export) {
  return notify(ctx, {
    memberId,
    key: `export.failed:${exportId}`,
    kind: null,
    notice: {
      title: 'Your archive could not be made',
      message: 'Something went wrong on our side. Please ask for it again in a while.',
      priority: 'medium',
      action: openSettings,
    },
  })
}

/** The last mail to an address whose account is gone. It belongs to nobody, and is forgotten once it was sent. */
export function mailErased(ctx: Ctx, to: string) {
  return queueMail(ctx, { to, memberId: null, template: 'account-erased', props: {} })
}
