/**
 * Whether the server that sent this page runs a demo club. The server marks the page, so nothing is asked.
 */
export function isDemo(): boolean {
  return document.documentElement.hasAttribute('data-demo')
}
