import { formatRequestContext } from '#server/accounts/request-context.ts'
import type { Mail, MailProps, MailSite } from '#server/kit/mail/mail.ts'
import { unlinked, MailButton, MailLayout, MailLink, MailText } from '#server/kit/mail/layout.tsx'

/**
 * Says what was done to the ways into an account, from where, and what to do when it was somebody else. `props`: kind, those of the
 * circumstances, and what the sentence of its kind names: provider, passkey, left.
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
        preview="If that was not you, set a new password now."
        why="You get this because it concerns the safety of your Evenhand account."
        settings={false}
        {...site}
      >
        <MailText>{says}</MailText>
        <MailText>{formatRequestContext(props)}</MailText>
        <MailText>
          Was that you? Then there is nothing to do. If it was not, set a new password now, which signs out
          every device, and look at your account’s{' '}
          <MailLink href={`${site.origin}/settings/security`}>security settings</MailLink>.
        </MailText>
        <MailButton href={`${site.origin}/reset-password`}>Set a new password</MailButton>
        <MailText quiet>We never send a password or a code by email, and never ask for yours.</MailText>
      </MailLayout>
    ),
  }
}

type Facts = { provider: string; left: number; passkey: string }

/** What was done to an account's ways in, in a title that is the subject as well, and a sentence. */
const texts = {
  'new-sign-in': () => ({
    title: 'New sign-in to your account',
    says: 'Somebody has just signed in to your account from a device or a network that was not used before.',
  }),
  'two-factor-on': () => ({
    title: 'Two-factor authentication is on',
    says: 'From now on, signing in with your password also asks for a code of your authenticator app. Keep your recovery codes in a safe place.',
  }),
  'two-factor-off': () => ({
    title: 'Two-factor authentication is off',
    says: 'From now on, your password alone signs you in.',
  }),
  'recovery-codes-renewed': () => ({
    title: 'You have new recovery codes',
    says: 'The recovery codes you had before work no more.',
  }),
  'recovery-code-used': ({ left }: Facts) => ({
    title: 'A recovery code was used',
    says: `A recovery code of your account was used in the place of your authenticator app. ${left === 1 ? 'One code is left.' : `${left} codes are left.`}`,
  }),
  'passkey-added': ({ passkey }: Facts) => ({
    title: 'A passkey was added',
    says: `The passkey “${unlinked(passkey)}” signs in to your account from now on.`,
  }),
  'passkey-removed': ({ passkey }: Facts) => ({
    title: 'A passkey was removed',
    says: `The passkey “${unlinked(passkey)}” signs in to your account no more.`,
  }),
  'provider-connected': ({ provider }: Facts) => ({
    title: `${provider} was connected`,
    says: `Your ${provider} account signs in to your account here from now on.`,
  }),
  'provider-disconnected': ({ provider }: Facts) => ({
    title: `${provider} was disconnected`,
    says: `Your ${provider} account signs in to your account here no more.`,
  }),
}
export type SecurityNotice = keyof typeof texts

function isKind(kind: unknown): kind is SecurityNotice {
  return typeof kind === 'string' && Object.hasOwn(texts, kind)
}
