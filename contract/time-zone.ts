/**
 * Whether this is the IANA name of a time zone, such as 'Europe/Berlin', that this very system can count in. Offsets such
 * as '+01:00' are none. It stands without the schema library, since every page that writes a date loads it.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
