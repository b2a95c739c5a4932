const home = '/dashboard'
/** In characters; what is longer leads to the dashboard. */
export const longestReturnPath = 2048
const printable = /^[\x21-\x7e]+$/
const closed = /^\/(api|auth|logout)(\/|$)/i

/**
 * Where to go after signing in or confirming: the path, query and fragment that `text` names on our own origin, or `/dashboard` when it
 * names anything else. Every return target passes through here. An absolute URL, of our own origin too, is not a path.
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

/** A router may decode a path once more than we did, so every decoded form keeps the rule too. */
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
