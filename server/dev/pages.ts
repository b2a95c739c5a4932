// In development, the process that serves the sources renders the public pages. Only answers to a form need
// them here.
import type { PageRenderer } from '#contract/pages.ts'

/** The address that renders a page, given `{ path, given }` as JSON. */
export const drawAt = '/@public-pages'

/**
 * Renders pages at `origin`, in the process that serves their sources. It lists none, because that process
 * serves them.
 */
export function pagesFromSource(origin: string): PageRenderer {
  return {
    pages: [],
    async render(path, given) {
      const answer = await fetch(origin + drawAt, { method: 'POST', body: JSON.stringify({ path, given }) })
      return answer.text()
    },
  }
}
