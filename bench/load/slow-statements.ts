// The slow statements of a PostgreSQL log, as its module auto_explain writes them with their plans.

/** `longest` in milliseconds; `plan` is that of the longest run. */
type Slow = { statement: string; times: number; longest: number; plan: string }

/** Each statement by its first letters, the most frequent first. */
export function slowStatements(log: string): Slow[] {
  const found = new Map<string, Slow>()
  for (const [, ms = '', entry = ''] of log.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n?)*)/g)) {
    const plan = entry.search(/^\t.*\(cost=/m)
    const text = (plan < 0 ? entry : entry.slice(0, plan)).replace(/Query Text:|[\s|`]+/g, ' ')
    const statement = text.trim().slice(0, 90).trim()
    const known = found.get(statement)
    const longest = !known || Number(ms) > known.longest
    found.set(statement, {
      statement,
      times: (known?.times ?? 0) + 1,
      longest: longest ? Number(ms) : known.longest,
      plan: longest ? nested(entry) : known.plan,
    })
  }
  return [...found.values()].toSorted((one, other) => other.times - one.times)
}

/** A plan on one line, without its costs: `Limit (Sort (Index Scan using reviews_due on reviews r))`. */
function nested(entry: string): string {
  let text = ''
  const open: number[] = []
  for (const line of entry.split('\n')) {
    const [, indent = '', node = ''] = /^\t(\s*(?:->\s+)?)(\S.*?)\s+\(cost=/.exec(line) ?? []
    if (!node) continue
    const isChild = open.length > 0 && (open.at(-1) ?? 0) < indent.length
    while ((open.at(-1) ?? -1) >= indent.length) {
      open.pop()
      if ((open.at(-1) ?? -1) >= indent.length) text += ')'
    }
    if (text) text += isChild ? ' (' : ', '
    text += node
    open.push(indent.length)
  }
  return text + ')'.repeat(Math.max(0, open.length - 1))
}
