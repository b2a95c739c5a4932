// Shows and keeps the figures: the same table on the screen and in bench/figures.md, where each part replaces
// its own section.
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { codeNow } from './code.ts'

export type Cell = string | number
export type Section = {
  title: string
  /** What was measured, against what, and the limits of the figures. */
  about: string
  columns: string[]
  rows: Cell[][]
  notes?: string[]
  /** Something is broken: the command then fails. */
  failed?: boolean
}

const file = 'bench/figures.md'
/** The load of the machine before the bench started. */
const otherLoad = loadavg()[0] ?? 0
const code = codeNow(file)
const heading = `# Figures

Written by \`npm run bench\`; a part that is measured again replaces its own section. Read the ratios: both
sides of each were measured in one run. The rest depends on the machine and its other work.
`

export function showSection({ title, columns, rows, notes = [] }: Section) {
  console.log(`\n${title}`)
  for (const line of tableLines(columns, rows)) console.log(line)
  for (const note of notes) console.log(`  ${note}`)
}

export async function keepSection(section: Section) {
  const kept = await readFile(file, 'utf8').catch(() => heading)
  const sections = kept.split(/^(?=## )/m).slice(1)
  const mine = `## ${section.title}\n`
  const at = sections.findIndex((text) => text.startsWith(mine))
  sections.splice(at < 0 ? sections.length : at, at < 0 ? 0 : 1, markdown(section))
  await writeFile(file, `${heading}\n${sections.map((text) => text.trim()).join('\n\n')}\n`)
}

function markdown({ title, about, columns, rows, notes = [] }: Section) {
  const day = new Date().toISOString().slice(0, 10)
  return [
    `## ${title}`,
    '',
    `${about} Measured on ${day} with ${code}, ${availableParallelism()} cores, ` +
      `Node ${process.versions.node}, with a load of ${otherLoad.toFixed(1)} from other work.`,
    '',
    ...tableLines(columns, rows),
    '',
    ...notes.map((note) => `- ${note}`),
  ].join('\n')
}

/** Formatted as the formatter does: padded, the first column to the left and figures to the right. */
function tableLines(columns: string[], rows: Cell[][]) {
  const texts = [columns, ...rows.map((row) => row.map(show))]
  const widths = columns.map((_, at) => Math.max(3, ...texts.map((row) => row[at]?.length ?? 0)))
  const lines = texts.map((row) => `| ${row.map((text, at) => pad(text, at, widths[at] ?? 0)).join(' | ')} |`)
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [lines[0], `| ${rule.join(' | ')} |`, ...lines.slice(1)]
}

function pad(text: string, column: number, width: number) {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}

/** Three significant digits. */
export function show(cell: Cell): string {
  if (typeof cell === 'string') return cell
  if (Math.abs(cell) >= 100) return Math.round(cell).toLocaleString('en')
  return String(Number(cell.toPrecision(3)))
}
