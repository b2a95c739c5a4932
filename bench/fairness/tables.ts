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
