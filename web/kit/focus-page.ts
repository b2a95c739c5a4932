/**
 * Focuses the title of the page, or its main part while it has none, without scrolling. A dialog that holds
 * the focus keeps it.
 */
export function focusPage(): void {
  if (document.querySelector('[role=dialog], [role=alertdialog]')?.contains(document.activeElement)) return
  const heading = document.getElementById('page-title') ?? document.getElementById('main')
  heading?.focus({ preventScroll: true })
}

/** Scrolls to the top and focuses the title, after an action of the member has changed the page's task. */
export function focusTop(): void {
  window.scrollTo({ top: 0 })
  focusPage()
}
