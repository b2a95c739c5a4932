import { createElement } from 'react'
import { secretLifetimeMinutes } from '#contract/accounts.ts'
import { safeReturnPath } from '#contract/return-path.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail.ts'
import type { MailTemplates } from '#server/kit/mail.ts'
import { changeMails } from './change-mails.ts'
import { AccountExists } from './emails/account-exists.tsx'
import { PasswordChanged } from './emails/password-changed.tsx'
import { ResetPassword } from './emails/reset-password.tsx'
import { VerifyEmail } from './emails/verify-email.tsx'
import { issueSecret } from './secrets.ts'

/** Sends a new confirmation link; an older one stops working. `returnTo` is kept only where it names a path of ours. */
export async function mailConfirmation(
  ctx: Ctx,
  mail: { memberId: string; to: string; username: string; returnTo?: string | undefined },
) {
  const { memberId, to, username } = mail
  const token = await issueSecret(ctx, { memberId, purpose: 'verify_email', minutes: secretLifetimeMinutes })
  const returnTo = mail.returnTo === undefined ? null : safeReturnPath(mail.returnTo, ctx.config.origin)
  await queueMail(ctx, {
    to,
    memberId,
    template: 'verify-email',
    props: { username, token, returnTo },
    dedupeKey: `verify-email:${newId()}`,
  })
}

/** Tells the owner of a confirmed address that somebody, perhaps they themselves, tried to sign up with it. */
export async function mailAccountExists(ctx: Ctx, { memberId, to }: { memberId: string; to: string }) {
  await queueMail(ctx, {
    to,
    memberId,
    template: 'account-exists',
    props: {},
    dedupeKey: `account-exists:${newId()}`,
  })
}

/** Sends a link for a new password; an older one stops working. */
export async function mailReset(
  ctx: Ctx,
  { memberId, to, username }: { memberId: string; to: string; username: string | null },
) {
  const token = await issueSecret(ctx, {
    memberId,
    purpose: 'reset_password',
    minutes: secretLifetimeMinutes,
  })
  await queueMail(ctx, {
    to,
    memberId,
    template: 'reset-password',
    props: { username, token },
    dedupeKey: `reset-password:${newId()}`,
  })
}

/** Tells the owner that the password is another one now, and which login sessions that ended. */
export async function mailPasswordChanged(
  ctx: Ctx,
  { memberId, to, ended }: { memberId: string; to: string; ended: 'all' | 'others' | 'none' },
) {
  await queueMail(ctx, {
    to,
    memberId,
    template: 'password-changed',
    props: { ended },
    dedupeKey: `password-changed:${newId()}`,
  })
}

/** The mails of this room. The secret stands in the fragment, which browsers send to no server and put into no referrer. */
export const accountMails: MailTemplates = {
  ...changeMails,
  'verify-email': ({ username, token, returnTo }, { origin, demo }) => {
    const query = typeof returnTo === 'string' ? `?returnTo=${encodeURIComponent(returnTo)}` : ''
    return {
      subject: 'Confirm your email',
      body: createElement(VerifyEmail, {
        username: String(username),
        confirmHref: `${origin}/auth/callback${query}#token=${String(token)}`,
        disownHref: `${origin}/auth/callback?type=disown#token=${String(token)}`,
        minutes: secretLifetimeMinutes,
        origin,
        demo,
      }),
    }
  },
  'reset-password': ({ username, token }, { origin, demo }) => ({
    subject: 'Set a new password',
    body: createElement(ResetPassword, {
      username: username === null ? null : String(username),
      resetHref: `${origin}/auth/callback?type=recovery#token=${String(token)}`,
      minutes: secretLifetimeMinutes,
      origin,
      demo,
    }),
  }),
  'password-changed': ({ ended }, { origin, demo }) => ({
    subject: 'Your password was changed',
    body: createElement(PasswordChanged, {
      ended: ended === 'all' || ended === 'others' ? ended : 'none',
      resetHref: `${origin}/reset-password`,
      origin,
      demo,
    }),
  }),
  'account-exists': (_props, { origin, demo }) => ({
    subject: 'You already have an account',
    body: createElement(AccountExists, {
      signInHref: `${origin}/signin`,
      resetHref: `${origin}/reset-password`,
      origin,
      demo,
    }),
  }),
}
