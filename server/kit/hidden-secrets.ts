// People paste keys and passwords where they do not belong. Texts that our staff reads, and the activity log,
// are stored without them.

/** What is a key or a token wherever it stands. */
export const keyForms = [
  String.raw`(sk|rk|pk)_(live|test)_[0-9A-Za-z]{8,}`,
  String.raw`whsec_[0-9A-Za-z+/]{8,}`,
  String.raw`gh[pousr]_[0-9A-Za-z]{20,}`,
  String.raw`AKIA[0-9A-Z]{16}`,
  String.raw`eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*`,
  String.raw`-----BEGIN [A-Z ]*PRIVATE KEY`,
  String.raw`[Bb]earer +[0-9A-Za-z._~+/-]{16,}`,
  // The secrets of our own mails and cookies: 32 bytes.
  String.raw`[#=/][0-9A-Za-z_-]{43}(?![0-9A-Za-z_-])`,
]
const namedForms = [
  String.raw`([Pp]ass(word|phrase|code)|PASSWORD)["']? *[:=] *["']?[^\s"']{6,}["']?`,
  String.raw`([Tt]oken|[Ss]ecret|[Aa][Pp][Ii] ?[Kk]ey)["']? *[:=] *["']?[^\s"']{6,}["']?`,
]

/** In JavaScript and in PostgreSQL: what looks like a key, a token or a password. The invariants use it. */
export const secretForm = [...keyForms, ...namedForms].join('|')

/** The text with `[removed]` in place of everything that looks like a secret. */
export function withoutSecrets(text: string): string {
  const plain = text.replaceAll(new RegExp(secretForm, 'g'), '[removed]')
  // What stood beside a secret may look like one without it. Each round makes the text shorter.
  return plain === text ? plain : withoutSecrets(plain)
}
