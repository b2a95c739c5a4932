// Forms of text that the operator enters for a marketplace, such as `EVEN-[A-Z]{3,8}`: characters, and
// classes of characters with a smallest and a largest count. They are matched without a regular expression,
// in a time that is bounded for every form and text.

type Piece = { characters: ReadonlySet<string>; least: number; most: number }

/** The longest form that an entry may have. */
export const formLength = 200

const pieces = /\[([A-Za-z0-9_-]+)\](?:\{(\d{1,2})(?:,(\d{1,2}))?\})?|([A-Za-z0-9_-])/y

/** The parts of a form; null when it is not one, as with a count from 5 to 2 or a class from z to a. */
export function readForm(form: string): Piece[] | null {
  if (form.length === 0 || form.length > formLength) return null
  const found: Piece[] = []
  pieces.lastIndex = 0
  while (pieces.lastIndex < form.length) {
    const match = pieces.exec(form)
    if (!match) return null
    const [, characters, least = '1', most = least, single] = match
    const known = single === undefined ? readClass(characters ?? '') : new Set([single])
    if (!known || Number(least) > Number(most) || Number(most) === 0) return null
    found.push({ characters: known, least: Number(least), most: Number(most) })
  }
  return found
}

/** Whether a whole text has a form. False for a text that is no form. */
export function hasForm(text: string, form: string): boolean {
  const parts = readForm(form)
  const longest = parts?.reduce((sum, { most }) => sum + most, 0) ?? 0
  if (!parts || text.length > longest) return false
  let ends = new Set([0])
  for (const part of parts) ends = endsAfter(part, text, ends)
  return ends.has(text.length)
}

/** The places of a text at which a part may end that starts at one of these. */
function endsAfter({ characters, least, most }: Piece, text: string, starts: ReadonlySet<number>) {
  const ends = new Set<number>()
  for (const start of starts) {
    if (least === 0) ends.add(start)
    for (let count = 1; count <= most && characters.has(text[start + count - 1] ?? ''); count += 1) {
      if (count >= least) ends.add(start + count)
    }
  }
  return ends
}

function readClass(inside: string): Set<string> | null {
  const characters = new Set<string>()
  for (let at = 0; at < inside.length; at += 1) {
    const first = inside.charCodeAt(at)
    const isRange = inside[at + 1] === '-' && at + 2 < inside.length
    const last = isRange ? inside.charCodeAt(at + 2) : first
    if (last < first) return null
    for (let code = first; code <= last; code += 1) characters.add(String.fromCharCode(code))
    if (isRange) at += 2
  }
  return characters
}
