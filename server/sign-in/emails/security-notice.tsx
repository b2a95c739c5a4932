import { formatRequestContext } from '#server/accounts/request-context.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailLayout, MailLink, MailText } from '#server/kit/mail/layout.tsx'

/**
 * Says what happened to an account's sign-in methods, from where, and what to do if it was someone else.
 * `props`: kind, the request context, and what the sentence of its kind names: provider, passkey, left.
 */
export function securityNotice(props: MailProps, site: MailSite): Mail {
  const { kind, provider, passkey, left } = props
  const { title, says } = texts[isKind(kind) ? kind : 'new-sign-in']({
    provider: String(provider ?? 'the provider'),
    passkey: String(passkey ?? 'A passkey'),
    left: Number(left ?? 0),
  })
  return {
    subject: title,
    body: (
      <MailLayout
        title={title}
        preview="If that wasn’t you, set a new password now."
        why="You’re getting this because it’s about the security of your Evenhand account."
        settings={false}
        {...site}
      >
        <MailText>{says}</MailText>
        <MailText>{formatRequestContext(props)}</MailText>
        <MailText>
          If that was you, you don’t have to do anything. If it wasn’t, set a new password now, which signs
          you out everywhere, and check your{' '}
          <MailLink href={`${site.origin}/settings/security`}>security settings</MailLink>.
        </MailText>
        <MailButton href={`${site.origin}/reset-password`}>Set a new password</MailButton>
        <MailText quiet>We never send a password or a code by email and never ask for yours.</MailText>
      </MailLayout>
    ),
  }
}

type Facts = { provider: string; left: number; passkey: string }

/** What happened to an account's sign-in methods: a title, which is the subject too, and a sentence. */
const texts = {
  'new-sign-in': () => ({
    title: 'New sign-in to your account',
    says: 'Someone just signed in to your account from a new device or network.',
  }),
  'two-factor-on': () => ({
    title: 'Two-factor authentication is on',
    says:
      'From now on, when you sign in with your password, we also ask for a code from your ' +
      'authenticator app. Keep your recovery codes in a safe place.',
  }),
  'two-factor-off': () => ({
    title: 'Two-factor authentication is off',
    says: 'From now on, you need only your password to sign in.',
  }),
  'recovery-codes-renewed': () => ({
    title: 'You have new recovery codes',
    says: 'Your old recovery codes no longer work.',
  }),
  'recovery-code-used': ({ left }: Facts) => ({
    title: 'A recovery code was used',
    says:
      'A recovery code was used to sign in instead of your authenticator app. ' +
      (left === 1 ? 'You have one code left.' : `You have ${left} codes left.`),
  }),
  'passkey-added': ({ passkey }: Facts) => ({
    title: 'A passkey was added',
    says: `You can now sign in with the passkey “${unlinked(passkey)}”.`,
  }),
  'passkey-removed': ({ passkey }: Facts) => ({
    title: 'A passkey was removed',
    says: `The passkey “${unlinked(passkey)}” can no longer sign in to your account.`,
  }),
  'provider-connected': ({ provider }: Facts) => ({
    title: `${provider} was connected`,
    says: `You can now sign in with your ${provider} account.`,
  }),
  'provider-disconnected': ({ provider }: Facts) => ({
    title: `${provider} was disconnected`,
    says: `Your ${provider} account can no longer sign in here.`,
  }),
}
export type SecurityNotice = keyof typeof texts

function isKind(kind: unknown): kind is SecurityNotice {
  return typeof kind === 'string' && Object.hasOwn(texts, kind)
}
