// The text of a review: how it is counted, what it may not hold, and its disclosure.
/** A review is long enough with this many words or this many sentences, and at most this many characters. */
export const reviewLength = { words: 40, sentences: 3, characters: 8000 }
/** How often the same word of a review counts. */
export const wordRepeats = 5

/** Invisible characters: zero-width characters, fillers, soft hyphens, marks of direction. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu

/** Normal form for counting and comparing: NFKC without invisible characters. */
export function plainText(text: string) {
  return text.replace(unseen, '').normalize('NFKC').replace(unseen, '')
}

// A word is letters, marks and digits. In scripts without spaces, two characters count as one word.
const unspaced =
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}` +
  String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`
const letters = String.raw`(?:(?!${unspaced})[\p{L}\p{N}\p{M}])+`
const word = new RegExp(String.raw`${unspaced}{1,2}|${letters}(?:['’-]${letters})*`, 'gu')
const sentenceEnd = /(?:[.!?]+["'”’»)\]]*(?:\s|$)|[。｡！？]+)/u

/**
 * Counts the words and sentences of a review in its normal form. The same word counts at most 5 times. A
 * sentence has at least 3 different words, and the same sentence counts once. `repeats` is whether this left
 * out a word or sentence.
 */
export function countText(text: string) {
  const plain = plainText(text).toLowerCase()
  const seen = new Map<string, number>()
  for (const found of wordsOf(plain)) seen.set(found, (seen.get(found) ?? 0) + 1)
  const written = [...seen.values()].reduce((sum, times) => sum + times, 0)
  const counted = [...seen.values()].reduce((sum, times) => sum + Math.min(times, wordRepeats), 0)
  const sentences = plain
    .split(sentenceEnd)
    .map(wordsOf)
    .filter((words) => new Set(words).size >= 3)
  const different = new Set(sentences.map((words) => words.join(' '))).size
  return {
    words: counted,
    sentences: different,
    repeats: counted < written || different < sentences.length,
  }
}

function wordsOf(plain: string): string[] {
  return plain.match(word) ?? []
}

/** Whether a text is long enough: 40 words or 3 sentences. */
export function isLongEnough(text: string) {
  const count = countText(text)
  return count.words >= reviewLength.words || count.sentences >= reviewLength.sentences
}

/** Whether a text holds a link, an email address or a phone number. */
export function hasPersonalData(text: string) {
  const plain = plainText(text)
  return (
    /\bhttps?:\/\/|\bwww\.\S/i.test(plain) ||
    /[\w.+-]{1,64}@[\w-]{1,63}\.\w/.test(plain) ||
    /(?:\+|\b)\d(?:[\s().-]?\d){8,}/.test(plain)
  )
}

/** The text to post: the disclosure sentence, then the review as written. */
export function withDisclosure(disclosure: string, body: string) {
  return `${disclosure}\n\n${body.trim()}`
}

/**
 * Whether a text begins with the disclosure sentence, ignoring white space, case and invisible characters.
 */
export function startsWithDisclosure(text: string, disclosure: string) {
  return disclosureInFront(disclosure).test(text.normalize('NFC'))
}

/** The review itself: the text after its disclosure sentence. Repetitions of the sentence are removed too. */
export function withoutDisclosure(text: string, disclosure: string) {
  return text.normalize('NFC').replace(disclosureInFront(disclosure), '').trim()
}

function disclosureInFront(disclosure: string) {
  const words = plainText(disclosure.normalize('NFC')).trim().split(/\s+/)
  const sentence = words
    .map((part) => [...part].map(literally).join(String.raw`\p{DI}*`))
    .join(String.raw`[\s\p{DI}]+`)
  return new RegExp(String.raw`^(?:[\s\p{DI}]*${sentence})+`, 'iu')
}

function literally(character: string) {
  return character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&')
}
