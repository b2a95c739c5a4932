/** Text as it is compared: lower case, without accents, typographic quotes made plain. */
function comparable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[’‘]/g, "'")
    .toLowerCase()
}

/** The words of a search, each once. */
export function wordsOf(query: string): string[] {
  return [...new Set(comparable(query).match(/[\p{L}\p{N}$%]+/gu) ?? [])]
}

// Words that say nothing of what is looked for. Whoever asks in a whole sentence means the others.
const small = new Set(
  'a an and are as at be can cannot did do does for from get has have how i if in is it me my no not of on or our so that the then there to us was we what when where which who why will with you your'.split(
    ' ',
  ),
)

/** The words of a question that matter; all of them when none does. */
export function meantBy(question: string): string[] {
  const words = wordsOf(question.replaceAll(/['’](?=\p{L})/gu, ''))
  const meant = words.filter((word) => !small.has(word))
  return meant.length > 0 ? meant : words
}

/** Whether a text holds every one of these words, or words that begin with them. No words are in every text. */
export function holds(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const there = wordsOf(text)
  return words.every((word) => there.some((each) => each.startsWith(word)))
}

/** Whether a text holds every one of these words or, where it does not, one that begins as a slip of the hand would make it. */
export function nearlyHolds(text: string, words: readonly string[]): boolean {
  const there = wordsOf(text)
  return words.every((word) => there.some((each) => each.startsWith(word) || beginsNearly(each, word)))
}

function beginsNearly(text: string, word: string): boolean {
  const slips = word.length < 4 ? 0 : word.length < 10 ? 1 : 2
  return [-1, 0, 1].some((more) => slipsBetween(word, text.slice(0, word.length + more)) <= slips)
}

/** How many letters are missing, too many, wrong, or have changed places with the next. */
function slipsBetween(one: string, other: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1]
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, row] = [row, next]
  }
  return row[other.length] ?? 0
}
