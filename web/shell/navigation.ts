import type { AnyRouter } from '@tanstack/react-router'
import { focusPage } from '#web/kit/focus-page.ts'

/**
 * Sets the window title on navigation and moves the focus to the heading of the new page, so that screen
 * readers read it. A change of the search parameters moves the focus only if the focused element was removed.
 * @param onPathChange called before each change of path.
 */
export function watchNavigation(router: AnyRouter, onPathChange: () => void): void {
  router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
    if (pathChanged && fromLocation) onPathChange()
  })
  router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
    document.title = titleOf(router)
    if (fromLocation && (pathChanged || document.activeElement === document.body)) focusPage()
  })
}

function titleOf(router: AnyRouter): string {
  const named = document.querySelector('h1[data-names-window]')?.textContent
  if (named) return `${named} · Evenhand`
  const { matches } = router.state
  if (matches.some(({ status, _notFound }) => _notFound || status === 'notFound'))
    return 'Page not found · Evenhand'
  const titled = matches.findLast((match) => match.staticData.title)
  const title = nameOf(titled?.loaderData) ?? titled?.staticData.title
  return title ? `${title} · Evenhand` : 'Evenhand'
}

/** The title of the data loaded for a page, for example of an article. */
function nameOf(loaded: unknown): string | undefined {
  const isNamed = typeof loaded === 'object' && loaded !== null && 'title' in loaded
  return isNamed && typeof loaded.title === 'string' ? loaded.title : undefined
}
