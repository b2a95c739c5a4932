// What a browser is shown where something failed outside of its form: a page that says what, instead of what programs are told.
import type { EdgeError } from '#server/kit/http/edge-errors.ts'
import type { HttpContext } from '#server/kit/http/http.ts'
import type { Pages } from './pages.ts'

export function problemPage(c: HttpContext, told: EdgeError, pages: Pick<Pages, 'answer'>) {
  const { pathname, search } = new URL(c.req.url)
  return pages.answer(
    c,
    '/problem',
    { problem: { message: told.message, again: pathname + search } },
    told.status,
  )
}
