// The public pages, rendered to HTML text. The server loads this file from the build.
import { renderToStaticMarkup } from 'react-dom/server'
import type { PageRenderer } from '#contract/pages.ts'
import { Document } from './frame/document.tsx'
import { notFoundPage, pages, pagesOfOne } from './pages.tsx'

export const renderer: PageRenderer = {
  pages: pages.map(({ path, live, screenForMembers, hidden }) => ({ path, live, screenForMembers, hidden })),
  render(path, given) {
    const page = [...pages, ...pagesOfOne].find((each) => each.path === path) ?? notFoundPage
    return `<!doctype html>${renderToStaticMarkup(<Document page={page} given={given} />)}`
  },
}
