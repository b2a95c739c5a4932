/**
 * Whether this is the IANA name of a time zone that this system supports, for example 'Europe/Berlin'. An
 * offset like '+01:00' is not. This file avoids the schema library, because every page that writes a date
 * loads it.
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
