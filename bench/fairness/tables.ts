// Tables and figures as the pages show them.

/** As the formatter writes tables: padded, figures to the left as they are texts. */
export function table(columns: string[], rows: string[][]): string[] {
  const all = [columns, ...rows]
  const widths = columns.map((_, at) => Math.max(3, ...all.map((row) => [...(row[at] ?? '')].length)))
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(columns), `| ${widths.map((each) => '-'.repeat(each)).join(' | ')} |`, ...rows.map(line)]
}

/** Three significant digits; a dash where there is nothing to measure. JSON keeps such figures as null. */
export function show(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–'
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)))
}

export const percent = (share: number | null) =>
  share === null || !Number.isFinite(share) ? '–' : `${Number((100 * share).toPrecision(4))}%`

const proseWidth = 110

/** The lines of a paragraph of the page. */
export function paragraph(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = [...lines.slice(-1), word].join(' ')
    if (lines.length > 0 && [...longer].length <= proseWidth) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
