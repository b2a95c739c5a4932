/** Joins class names, leaving out what is false, null or empty. */
export function cx(...parts: (string | 0 | 0n | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
