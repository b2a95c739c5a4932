import { expect, test } from 'vitest'
import { holds, wordsOf } from './words.ts'

test.each([
  ['I lost my second factor', 'second factor', true],
  ['I lost my second factor', 'FACTOR lost', true],
  ['I lost my second factor', 'fac', true],
  ['I lost my second factor', 'actor', false],
  ['I lost my second factor', 'second email', false],
  ['Déjà vu', 'deja', true],
  ["The club's rules", 'club’s', true],
  ['under 2 MB', '2', true],
  ['anything', ' … ', true],
])('%s, searched for %s: %s', (text, query, found) => {
  expect(holds(text, wordsOf(query))).toBe(found)
})
