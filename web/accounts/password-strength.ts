/** How hard a password is to guess; `none` for an empty one. */
export type Strength = 'none' | 'weak' | 'fair' | 'good' | 'strong'

/** The bits of entropy at which each level starts. */
const steps = { fair: 45, good: 64, strong: 85 }

/**
 * Estimates how hard a password is to guess from its length and variety. It is only a hint while typing: the
 * server decides which passwords are too common.
 */
export function strengthOf(password: string): Strength {
  if (password === '') return 'none'
  const bits = effectiveLength(password) * Math.log2(alphabetOf(password))
  if (bits < steps.fair) return 'weak'
  if (bits < steps.good) return 'fair'
  return bits < steps.strong ? 'good' : 'strong'
}

/** A character that repeats or continues the one before it, as in 'aa', 'abc' and '321', counts a quarter. */
function effectiveLength(password: string): number {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0)
  return codes.reduce((length, code, at) => {
    const before = codes[at - 1]
    return length + (before !== undefined && Math.abs(code - before) <= 1 ? 0.25 : 1)
  }, 0)
}

/** The number of possible characters, given the kinds of characters used. */
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
