/** Joins class names and skips false, null and empty ones. */
export function cx(...parts: (string | 0 | 0n | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
