import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffTexts } from './text-diff.ts'

test('names the words that were added and removed', () => {
  expect(diffTexts('It prints well on paper.', 'It prints very well on paper.')).toEqual([
    { text: 'It prints ', in: 'both' },
    { text: 'very ', in: 'after' },
    { text: 'well on paper.', in: 'both' },
  ])
  expect(diffTexts('same', 'same')).toEqual([{ text: 'same', in: 'both' }])
  expect(diffTexts('', 'new')).toEqual([{ text: 'new', in: 'after' }])
})

test('holds both texts whole, whatever they are', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n', 'é')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const pieces = diffTexts(before, after)
      const join = (side: 'before' | 'after') =>
        pieces
          .filter((piece) => piece.in === 'both' || piece.in === side)
          .map(({ text }) => text)
          .join('')
      expect([join('before'), join('after')]).toEqual([before, after])
    }),
  )
})
