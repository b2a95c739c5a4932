/** Scrolls to the top and focuses the title, after an action of the member has changed the page's task. */
export function focusPage(): void {
  window.scrollTo({ top: 0 })
  document.getElementById('page-title')?.focus({ preventScroll: true })
}
