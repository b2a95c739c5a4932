// Helpers for tests of the staff area.

/** Reads CSV as RFC 4180 says, with every cell in quotes. Throws at anything else. */
export function readCsv(text: string): string[][] {
  if (!text.startsWith('\uFEFF')) throw new Error('The file has no byte order mark.')
  const rows: string[][] = []
  const cell = /"((?:[^"]|"")*)"(,|\r\n)/y
  cell.lastIndex = 1
  let row: string[] = []
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const [, content = '', end] = cell.exec(text) ?? []
    if (end === undefined) throw new Error(`This is no CSV, at ${at}: ${text.slice(at, at + 40)}`)
    row.push(content.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  if (row.length > 0) throw new Error('The last row has no end.')
  return rows
}
