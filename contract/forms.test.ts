import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasForm, readForm } from './forms.ts'

fc.configureGlobal({ seed: 1 })

const piece = fc.oneof(
  fc.constantFrom('a', 'B', '7', '-', '_'),
  fc
    .tuple(fc.constantFrom('[a-z]', '[A-Z0-9]', '[ab]', '[0-9_-]'), fc.nat(3), fc.nat(3))
    .map(([of, least, more]) => `${of}{${least},${least + more || 1}}`),
)
const form = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'z', 'B', '7', '-', '_'), maxLength: 12 })

test('a text has a form exactly when the regular expression says so', () => {
  fc.assert(
    fc.property(form, text, (form, text) => {
      expect(hasForm(text, form)).toBe(new RegExp(`^(?:${form})$`).test(text))
    }),
    { numRuns: 2000 },
  )
})

test.each(['', '[z-a]{1,2}', '[a-z]{5,2}', '[a-z]{0,0}', '(a+)+', 'a*', '.', '[^a]{1,2}', '[a-z', 'a{1,2}'])(
  '%j is no form',
  (form) => {
    expect(readForm(form)).toBeNull()
    expect(hasForm('a', form)).toBe(false)
  },
)

test('overlapping classes are matched in bounded time', () => {
  // A backtracking matcher would try more ways than there are atoms.
  const form = '[a-z]{1,99}'.repeat(18)
  expect(hasForm(`${'a'.repeat(1700)}!`, form)).toBe(false)
  expect(hasForm('a'.repeat(1700), form)).toBe(true)
})
