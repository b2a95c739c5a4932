import type { Ctx, Who } from '#server/kit/ctx.ts'
import { hasHint, hintCookie, opensSession, readSessionToken } from './cookies.ts'

type Given = {
  asked: Headers
  /** The headers of our answer. */
  answered: Headers
  authenticate: (ctx: Ctx, headers: Headers) => Promise<Who>
}

/**
 * The hint's Set-Cookie line where an answer needs one: it follows the session's cookie, and a page that is
 * opened puts right a hint that is missing or wrong. Null where nothing changes.
 */
export async function sessionHint(
  ctx: Ctx,
  { asked, answered, authenticate }: Given,
): Promise<string | null> {
  const { config } = ctx
  const opened = answered
    .getSetCookie()
    .map((line) => opensSession(config, line))
    .findLast((is) => is !== undefined)
  if (opened !== undefined) return hintCookie(config, opened)
  if (!answered.get('content-type')?.startsWith('text/html')) return null
  const hasSession = readSessionToken(config, asked) !== null
  if (hasSession === hasHint(config, asked)) return null
  if (!hasSession) return hintCookie(config, false)
  // Asked once for a session from before there were hints. Of an ended session no hint is made.
  const who = await authenticate(ctx, asked).catch(() => undefined)
  return who && who.id !== null ? hintCookie(config, true) : null
}
