// CSV that is safe to open in a spreadsheet: every cell is text, even if it looks like a formula.

export type Cell = string | number | boolean | null

/** The byte order mark at the start of every file, so that no program guesses another encoding. */
export const csvStart = '\uFEFF'

/**
 * One row with its line break. Every cell is quoted; text that looks like a formula gets a leading
 * apostrophe. A number does not, so that a negative one stays a number.
 */
export function csvRow(cells: Cell[]): string {
  return `${cells.map((cell) => `"${written(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

function written(cell: Cell) {
  if (cell === null) return ''
  return typeof cell === 'number' ? String(cell) : guarded(String(cell))
}

// Programs skip white space and the byte order mark before they look for a formula; some accept full-width
// signs too.
const formula = /^[\s\uFEFF]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]/
const brokenStart = /^[\s\uFEFF]*[\t\r\n]/

function guarded(text: string) {
  const plain = text.replaceAll('\0', '')
  return formula.test(plain) || brokenStart.test(plain) ? `'${plain}` : plain
}
