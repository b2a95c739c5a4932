/** Text as it is compared: lower case, without accents, typographic quotes made plain. */
export function comparable(text: string): string {
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

/** Whether a text holds every one of these words, or words that begin with them. No words are in every text. */
export function holds(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const there = wordsOf(text)
  return words.every((word) => there.some((each) => each.startsWith(word)))
}
