// While developing, the public pages are drawn by whoever serves their sources. Only the answers to a form need them here.
import type { PageRenderer } from '#contract/pages.ts'

/** Where pages are drawn on request, with `{ path, given }` as JSON. */
export const drawAt = '/@public-pages'

/** Has pages drawn at `origin`, by the process that serves their sources. It lists none: each is answered there, too. */
export function pagesFromSource(origin: string): PageRenderer {
  return {
    pages: [],
    async render(path, given) {
      const answer = await fetch(origin + drawAt, { method: 'POST', body: JSON.stringify({ path, given }) })
      return answer.text()
    },
  }
}
