import type { CsvName } from '#contract/rights.ts'
import { paths } from '#web/paths.ts'

type Download = {
  name: CsvName
  filter: Record<string, string | undefined>
  signal: AbortSignal
  /** The number of rows that have arrived, without the header. */
  onRows: (rows: number) => void
}

/** Loads a CSV file, and returns it with its name. Rejects with the server's refusal. */
export async function downloadCsv({ name, filter, signal, onRows }: Download) {
  const answer = await fetch(paths.csvFile(name, filter), { credentials: 'same-origin', signal })
  // A refusal has the form of those of calls.
  if (!answer.ok || !answer.body) throw await answer.json()
  const parts: Uint8Array<ArrayBuffer>[] = []
  const count = rowCounter()
  const reader = answer.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    onRows(Math.max(0, count(value) - 1))
  }
  const disposition = answer.headers.get('content-disposition') ?? ''
  const [, named] = /filename="([^"]+)"/.exec(disposition) ?? []
  return { content: new Blob(parts, { type: 'text/csv' }), name: named ?? `${name}.csv` }
}

const quote = 0x22
const lineFeed = 0x0a

/** Counts the rows of a CSV file as it arrives. A line break within quotes ends no row. */
function rowCounter() {
  let rows = 0
  let isQuoted = false
  return (bytes: Uint8Array) => {
    for (const byte of bytes) {
      if (byte === quote) isQuoted = !isQuoted
      else if (byte === lineFeed && !isQuoted) rows += 1
    }
    return rows
  }
}
