// How far a long command is: a line that is written again on a terminal, and every ten seconds elsewhere.
const width = 24
const everyMs = { terminal: 100, elsewhere: 10_000 }

type Progress = {
  /** `done` of `of`, in any unit. */
  show(what: string, done: number, of: number): void
  /** Ends the line. */
  end(): void
}

export function openProgress(out: NodeJS.WriteStream = process.stdout): Progress {
  // What is over soon needs no lines.
  let last = out.isTTY ? 0 : Date.now()
  let open = false
  return {
    show(what, done, of) {
      const share = of > 0 ? Math.min(1, done / of) : 1
      const now = Date.now()
      if (now - last < (out.isTTY ? everyMs.terminal : everyMs.elsewhere)) return
      last = now
      const percent = `${Math.floor(share * 100)}%`.padStart(4)
      if (!out.isTTY) return void out.write(`${what} ${percent.trim()}\n`)
      const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░')
      out.write(`\r\x1b[K${bar}${percent} ${what}`)
      open = true
    },
    end() {
      if (open) out.write('\r\x1b[K')
      open = false
    },
  }
}

/** Such as `3.4 MB`. */
export function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}
