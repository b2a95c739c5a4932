// Notifications about taking part. They can't be switched off.
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { writeMomentFor } from '#server/notifications/moments.ts'
import { notify, notifyAll } from '#server/notifications/notices.ts'

type Suspended = {
  memberId: string
  reason: string
  since: string
  until: string | null
  /** No one decided it. */
  automatic: boolean
}

/** A member was suspended: why, until when, and whether a person decided it. */
export async function notifySuspended(ctx: Ctx, { memberId, reason, since, until, automatic }: Suspended) {
  const ending = until
    ? `It ends automatically on ${await writeMomentFor(ctx, memberId, until)}.`
    : 'Our staff has to lift it.'
  await notify(ctx, {
    memberId,
    key: `suspended:${since}`,
    kind: null,
    notice: {
      title: 'Your account is suspended',
      message:
        `The reason: ${reason} You get no offers and can’t ask for reviews. ${ending}` +
        (automatic ? ' It happened automatically. If it’s wrong, write to us.' : ''),
      priority: 'high',
      action: { label: 'Contact Support', href: '/support' },
    },
    activity: {
      type: 'matching',
      title: 'Account suspended',
      description: reason,
      status: 'error',
    },
    mail: { template: 'account-suspended', props: { reason, until, automatic } },
  })
}

/** The suspensions of these members are over. */
export function notifyReinstated(ctx: Ctx, memberIds: string[]) {
  return notifyAll(
    ctx,
    memberIds.map((memberId) => ({
      memberId,
      key: `reinstated:${newId()}`,
      kind: null,
      notice: {
        title: 'Your suspension is over',
        message: 'You get offers again, and you can ask for reviews. Your requests are back in their places.',
        priority: 'medium',
        action: { label: 'Go to the dashboard', href: '/dashboard' },
      },
      activity: {
        type: 'matching',
        title: 'Suspension over',
        description: 'You take part in the exchange again.',
        status: 'success',
      },
      mail: { template: 'suspension-over', props: {} },
    })),
  )
}

/** Our staff gave a member days of membership. */
export async function notifyGranted(ctx: Ctx, { memberId, until }: { memberId: string; until: string }) {
  const message =
    'Our staff extended your membership. ' +
    `It now runs until ${await writeMomentFor(ctx, memberId, until)}.`
  await notify(ctx, {
    memberId,
    key: `granted:${newId()}`,
    kind: null,
    notice: { title: 'Membership extended', message, priority: 'medium' },
    activity: { type: 'billing', title: 'Membership extended', description: message, status: 'success' },
  })
}
