// Reads what was pasted or loaded: JSON of one of our formats, or a sentence that says what it is instead.
import type { ZodType } from 'zod'
import { drawReceipt, receiptFormat } from '#contract/draw-receipt.ts'
import type { DrawReceipt } from '#contract/draw-receipt.ts'
import { number } from '#contract/format.ts'
import type { Unreadable } from './report.ts'

/** A receipt with fifty draws from ten thousand members has nine million characters. */
const longestReceipt = 12_000_000

export function readReceipt(text: string): { receipt: DrawReceipt } | { problem: Unreadable } {
  if (text.trim() === '') return problem('Nothing to check', 'Paste a receipt, or choose its file.')
  if (text.length > longestReceipt) {
    return problem(
      'This is too large',
      `A receipt has at most ${number(longestReceipt)} characters, and this has ${number(text.length)}.`,
    )
  }
  const json = parse(text)
  if (json === undefined) {
    return problem(
      'This isn’t a receipt',
      'A receipt is JSON text that begins with { and ends with }. Copy the whole file, or choose the file.',
    )
  }
  const format = formatOf(json)
  if (format !== receiptFormat) return { problem: explainFormat(format) }
  const read = drawReceipt.safeParse(json)
  if (read.success) return { receipt: read.data }
  const part = read.error.issues[0]?.path.join('.') || 'the whole'
  return problem(
    'This receipt is damaged',
    `A part is missing or isn’t as it should be: ${part}. Download the receipt again and check that copy.`,
  )
}

/** Reads a file that the club publishes. Null when it isn’t one. */
export function readFile<T>(schema: ZodType<T>, text: string): T | null {
  const read = schema.safeParse(parse(text))
  return read.success ? read.data : null
}

function problem(title: string, text: string) {
  return { problem: { title, text } }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function formatOf(json: unknown): string {
  if (typeof json !== 'object' || json === null) return ''
  if ('statement' in json) return 'evenhand-ledger-statement'
  return 'format' in json && typeof json.format === 'string' ? json.format : ''
}

function explainFormat(format: string): Unreadable {
  if (format.startsWith('evenhand-draw-receipt/')) {
    return {
      title: 'This receipt has another version',
      text:
        `It says ${format.slice(0, 40)}, and this page reads ${receiptFormat}. ` +
        'Download the receipt again.',
    }
  }
  const other = others.find(([start]) => format.startsWith(start))
  if (other) return { title: other[1], text: other[2] }
  return {
    title: 'This isn’t a receipt of a draw',
    text: `It is JSON text, but it doesn’t say that it is a receipt (${receiptFormat}).`,
  }
}

const others = [
  [
    'evenhand-draw-pass/',
    'This is the list of one draw',
    'A receipt is about one request. To look for yourself in a list, use “Was I left out?” below.',
  ],
  [
    'evenhand-draw-day',
    'This is the public list of days',
    'This page loads it automatically. Paste the receipt of a request or an offer.',
  ],
  [
    'evenhand-ledger-statement',
    'This is a statement of your ledger',
    'It has a script of its own, verify-ledger.mjs. This page checks receipts of draws.',
  ],
] as const
