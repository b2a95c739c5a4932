/** Nothing typed yet, or how hard it would be to guess. */
export type Strength = 'none' | 'weak' | 'fair' | 'good' | 'strong'

/** Bits from which a password counts as more than weak, than fair and than good. */
const steps = { fair: 45, good: 64, strong: 85 }

/**
 * A rough guess of how hard a password is to guess, by its length and variety alone: a hint while typing, and no rule.
 * Which passwords are too common to be used is for the server to know.
 */
export function strengthOf(password: string): Strength {
  if (password === '') return 'none'
  const bits = lengthThatCounts(password) * Math.log2(alphabetOf(password))
  if (bits < steps.fair) return 'weak'
  if (bits < steps.good) return 'fair'
  return bits < steps.strong ? 'good' : 'strong'
}

/** A character that repeats the one before it, or goes on from it like 'abc' and '321', adds little. */
function lengthThatCounts(password: string): number {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0)
  return codes.reduce((length, code, at) => {
    const before = codes[at - 1]
    return length + (before !== undefined && Math.abs(code - before) <= 1 ? 0.25 : 1)
  }, 0)
}

/** How many characters there are to choose from, of the kinds that were used. */
function alphabetOf(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[0-9]/, 10],
    [/[ -/:-@[-`{-~]/, 33],
    [/[^ -~]/, 100],
  ]
  return kinds.reduce((size, [kind, more]) => (kind.test(password) ? size + more : size), 0)
}
