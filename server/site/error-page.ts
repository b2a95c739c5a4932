// Answers a browser with a page when a request fails outside of a form. Programs get the error as JSON.
import type { EdgeError } from '#server/kit/http/edge-errors.ts'
import type { HttpContext } from '#server/kit/http/http.ts'
import type { Pages } from './pages.ts'

export function problemPage(c: HttpContext, error: EdgeError, pages: Pick<Pages, 'answer'>) {
  const { pathname, search } = new URL(c.req.url)
  return pages.answer(
    c,
    '/problem',
    { problem: { message: error.message, again: pathname + search } },
    error.status,
  )
}
