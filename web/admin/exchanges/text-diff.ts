/** A run of words that both texts have, or only one of them. */
type Piece = { text: string; in: 'both' | 'before' | 'after' }

/**
 * The differences between two texts, word by word: the longest common sequence of words and spaces. The
 * pieces of `both` and `after` joined are the text after, those of `both` and `before` the text before.
 */
export function diffTexts(before: string, after: string): Piece[] {
  const [one, other] = [partsOf(before), partsOf(after)]
  const width = other.length + 1
  // How long the common sequence is from each place on, filled from the end.
  const common = new Uint32Array((one.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pieces: Piece[] = []
  const add = (text: string, where: Piece['in']) => {
    const last = pieces.at(-1)
    if (last?.in === where) last.text += text
    else pieces.push({ text, in: where })
  }
  let [i, j] = [0, 0]
  while (i < one.length || j < other.length) {
    const [word = '', next = ''] = [one[i], other[j]]
    if (i < one.length && j < other.length && word === next) {
      add(word, 'both')
      i += 1
      j += 1
    } else if (j >= other.length || (i < one.length && at(i + 1, j) >= at(i, j + 1))) {
      add(word, 'before')
      i += 1
    } else {
      add(next, 'after')
      j += 1
    }
  }
  return pieces
}

function partsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? []
}
