// Comma-separated text as spreadsheets open it, and safe to open: a cell is text, whatever it begins with.

export type Cell = string | number | boolean | null

/** How every such file begins, so that no program guesses another encoding. */
export const csvStart = '\uFEFF'

/** One row, with its line break. Every cell is in quotes; one that a spreadsheet could take for a formula gets a leading apostrophe. */
export function csvRow(cells: Cell[]): string {
  return `${cells.map((cell) => `"${guarded(cell === null ? '' : String(cell)).replaceAll('"', '""')}"`).join(',')}\r\n`
}

// Programs skip white space and the mark of the encoding before they look for a formula; some know the full-width signs too.
const formula = /^[\s\uFEFF]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]/
const brokenStart = /^[\s\uFEFF]*[\t\r\n]/

function guarded(text: string) {
  const plain = text.replaceAll('\0', '')
  return formula.test(plain) || brokenStart.test(plain) ? `'${plain}` : plain
}
