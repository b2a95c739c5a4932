const home = '/dashboard'
/** In characters. A longer path leads to the dashboard. */
export const longestReturnPath = 2048
const printable = /^[\x21-\x7e]+$/
const closed = /^\/(api|auth|logout)(\/|$)/i

/**
 * The path to open after signing in or confirming: the path, query and fragment of `text` on our own origin,
 * or `/dashboard` for anything else. Every return target is checked here. An absolute URL is not a path, even
 * of our origin.
 */
export function safeReturnPath(text: string | null | undefined, origin: string): string {
  if (!text || text.length > longestReturnPath || !printable.test(text)) return home
  const target = ownUrl(text, origin)
  if (!target || !isOwnWhenDecoded(target.pathname, origin)) return home
  return target.pathname + target.search + target.hash
}

function ownUrl(path: string, origin: string) {
  if (!/^\/(?![/\\])/.test(path) || path.includes('\\') || !URL.canParse(path, origin)) return null
  const url = new URL(path, origin)
  return url.origin === origin && !url.pathname.startsWith('//') && !closed.test(url.pathname) ? url : null
}

/** A router may decode a path once more than we did, so every decoded form must pass the check too. */
function isOwnWhenDecoded(path: string, origin: string): boolean {
  const decoded = decode(path)
  if (decoded === path) return true
  return ownUrl(decoded, origin) !== null && isOwnWhenDecoded(decoded, origin)
}

function decode(path: string) {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
