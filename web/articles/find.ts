/** Text in the form we compare: lower case, without accents, with plain apostrophes. */
function comparable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[’‘]/g, "'")
    .toLowerCase()
}

/** The words of a text or a query, each once. “can't” is one word: “cant”. */
export function wordsOf(query: string): string[] {
  const joined = comparable(query).replaceAll(/'(?=\p{L})/gu, '')
  return [...new Set(joined.match(/[\p{L}\p{N}$%]+/gu) ?? [])]
}

// Words of a question that don't say what it's about.
const small = new Set(
  [
    'a an and are as at be can cannot cant did didnt do does doesnt dont for from get has have how i if im',
    'in is isnt it its ive me my no not of on or our so that the ' +
      'then there to us was we what when where which',
    'who why will with wont you your',
  ].flatMap((line) => line.split(' ')),
)

/** The words of a question that matter; all of them when none does. */
export function meantBy(question: string): string[] {
  const words = wordsOf(question)
  const meant = words.filter((word) => !small.has(word))
  return meant.length > 0 ? meant : words
}

/** Whether a text has every one of these words, or words that begin with them. True without any words. */
export function holds(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const present = wordsOf(text)
  return words.every((word) => present.some((each) => each.startsWith(word)))
}

/** Like `holds`, but also with a word that begins almost the same, as after a typo. */
export function nearlyHolds(text: string, words: readonly string[]): boolean {
  const present = wordsOf(text)
  return words.every((word) => present.some((each) => each.startsWith(word) || startsAlmost(each, word)))
}

function startsAlmost(text: string, word: string): boolean {
  const typos = word.length < 4 ? 0 : word.length < 10 ? 1 : 2
  return [-1, 0, 1].some((more) => typosBetween(word, text.slice(0, word.length + more)) <= typos)
}

/** How many letters are missing, extra, wrong, or swapped with the next one. */
function typosBetween(one: string, other: string): number {
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
