// The unsubscribe link in each mail that has a kind. It works without signing in. It is signed and never
// expires, because it can only switch off one kind of mail, which the member can undo in the settings.
import { noticeKind } from '#contract/notifications.ts'
import type { NoticeKind } from '#contract/notifications.ts'
import type { Config } from '#server/kit/config.ts'
import { isSameSecret, keyedHash } from '#server/kit/keyed-hash.ts'

type About = { memberId: string; kind: NoticeKind }

/** The address that stops mails of this kind to this member. */
export function unsubscribeHref(config: Config, { memberId, kind }: About) {
  const about = Buffer.from(`${memberId} ${kind}`).toString('base64url')
  return `${config.origin}/unsubscribe?token=${about}.${signatureOf(config, about).toString('base64url')}`
}

/** The member and the kind of a signed token; null for any other text. */
export function readUnsubscribeToken(config: Config, token: string): About | null {
  const [about = '', signature = '', ...more] = token.slice(0, 200).split('.')
  const given = Buffer.from(signature, 'base64url')
  if (more.length > 0 || !isSameSecret(given, signatureOf(config, about))) return null
  const [memberId = '', kind] = Buffer.from(about, 'base64url').toString().split(' ')
  const known = noticeKind.safeParse(kind)
  return known.success ? { memberId, kind: known.data } : null
}

function signatureOf(config: Config, about: string) {
  return keyedHash(config, 'unsubscribe', about)
}
