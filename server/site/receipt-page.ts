// The public receipt of a verified review. Its address is random and leads to nothing else.
import type { HttpApp } from '#server/kit/http/http.ts'
import { findReceipt } from '#server/reviews/receipts.ts'
import type { Pages } from './pages.ts'

const keyForm = /^[\w-]{22}$/

/** `GET /receipts/<key>`: 410 once its review no longer stands, 404 if there never was one. */
export function mountReceipts(app: HttpApp, pages: Pick<Pages, 'answer' | 'missing'>) {
  app.get('/receipts/:key', async (c, next) => {
    const key = c.req.param('key')
    if (!keyForm.test(key)) return next()
    const receipt = await findReceipt(c.get('ctx'), key)
    if (receipt === null) return pages.missing(c)
    if (receipt === 'gone') return pages.answer(c, '/receipts', {}, 410)
    return pages.answer(c, '/receipts', { receipt }, { status: 200, keep: true })
  })
}
