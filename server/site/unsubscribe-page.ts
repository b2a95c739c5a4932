// The unsubscribe page, for people and for mail programs (RFC 8058). A mail program sends the POST from its
// own servers without an Origin, so this address is exempt from the Origin check at the edge.
import type { UnsubscribeGiven } from '#contract/site.ts'
import type { HttpApp, HttpContext } from '#server/kit/http/http.ts'
import { limitRate, minute } from '#server/kit/http/rate-limit.ts'
import { stopMails } from '#server/notifications/preferences.ts'
import { readUnsubscribeToken } from '#server/notifications/unsubscribe.ts'
import type { Pages } from './pages.ts'

const path = '/unsubscribe'

/**
 * GET changes nothing, since programs follow links. The page's button and mail programs POST to the same
 * address.
 */
export function mountUnsubscribe(app: HttpApp, pages: Pick<Pages, 'answer'>) {
  app.get(path, (c) => {
    const about = readToken(c)
    return answer(c, about && { kind: about.kind, done: false })
  })

  app.post(path, async (c) => {
    const ctx = c.get('ctx')
    await limitRate(ctx.kit.db, `unsubscribe:${ctx.client?.address ?? ''}`, { hits: 120, seconds: minute })
    const about = readToken(c)
    if (about) await stopMails(ctx, about)
    return answer(c, about && { kind: about.kind, done: true })
  })

  function answer(c: HttpContext, unsubscribe: UnsubscribeGiven | null) {
    return unsubscribe ? pages.answer(c, path, { unsubscribe }, 200) : pages.answer(c, path, {}, 404)
  }
}

function readToken(c: HttpContext) {
  return readUnsubscribeToken(c.get('ctx').config, c.req.query('token') ?? '')
}
