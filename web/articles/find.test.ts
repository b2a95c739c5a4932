import { expect, test } from 'vitest'
import { holds, meantBy, nearlyHolds, wordsOf } from './find.ts'

test.each([
  ['I lost my second factor', 'second factor', true],
  ['I lost my second factor', 'FACTOR lost', true],
  ['I lost my second factor', 'fac', true],
  ['I lost my second factor', 'actor', false],
  ['I lost my second factor', 'second email', false],
  ['Déjà vu', 'deja', true],
  ["The club's rules", 'club’s', true],
  ['I can’t sign in', "can't", true],
  ['under 2 MB', '2', true],
  ['anything', ' … ', true],
])('%s, searched for %s: %s', (text, query, found) => {
  expect(holds(text, wordsOf(query))).toBe(found)
})

test.each([
  ['How do I get my money back?', ['money', 'back']],
  ["I can't sign in", ['sign']],
  ['I can’t log in', ['log']],
  ['what is it', ['what', 'is', 'it']],
  ['', []],
])('the question “%s” is about %j', (question, words) => {
  expect(meantBy(question)).toEqual(words)
})

test.each([
  ['I forgot my password', 'pasword', true],
  ['I forgot my password', 'passwrod', true],
  ['I forgot my password', 'passwordd', true],
  ['I forgot my password', 'forgott pasw', true],
  ['I forgot my password', 'passport', false],
  ['I forgot my password', 'gorgot', true],
  ['two-factor authentication', 'autentification', false],
  ['two-factor authentication', 'authentification', true],
  ['under 2 MB', '3', false],
  ['my data', 'dat', true],
  ['my data', 'fat', false],
])('%s, searched for with a typo as %s: %s', (text, query, found) => {
  expect(nearlyHolds(text, wordsOf(query))).toBe(found)
})
