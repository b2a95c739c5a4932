/** Back to the top of the page and its title, after an action of one's own has changed what the page asks for. */
export function focusPage(): void {
  window.scrollTo({ top: 0 })
  document.getElementById('page-title')?.focus({ preventScroll: true })
}
