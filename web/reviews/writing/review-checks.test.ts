import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withDisclosure } from '#contract/review-text.ts'
import { canSubmitReview } from '#contract/reviews.ts'
import { checkClosing, checkWriting, reasonsAgainst } from './review-checks.ts'

// A fixed seed: a failure happens again in every run.
fc.configureGlobal({ seed: 1 })

const disclosure = 'I belong to a review exchange and bought this with a discount code; my opinion is my own.'
const good = 'I used it for two weeks. It prints well on plain paper. The margins are narrow for my printer.'

const answers = fc.oneof(
  fc.constantFrom('', 'short', '         x', 'Planning two weeks of work'),
  fc.string(),
)
const facts = fc.record({
  isPublic: fc.boolean(),
  rating: fc.constantFrom(null, 1, 3, 5),
  body: fc.oneof(
    fc.constantFrom(
      '',
      '   ',
      good,
      `${good} Write to a@b.example`,
      'Nice.',
      'word '.repeat(60),
      `${good} `.repeat(90),
    ),
    fc.lorem({ maxCount: 60 }),
  ),
  usedFor: answers,
  notFor: answers,
  usedLongEnough: fc.boolean(),
  posted: fc.boolean(),
  attested: fc.boolean(),
})

test('there is no reason against submitting exactly when the contract allows it', () => {
  fc.assert(
    fc.property(facts, ({ isPublic, body, ...rest }) => {
      const reasons = reasonsAgainst([
        ...checkWriting({ body, ...rest }, false, isPublic),
        ...checkClosing(rest, isPublic),
      ])
      const may = canSubmitReview({
        ...rest,
        status: 'purchased',
        lane: isPublic ? 'public' : 'private',
        hasProof: true,
        text: isPublic ? withDisclosure(disclosure, body) : body.trim(),
        disclosure,
      })
      expect(reasons.length === 0).toBe(may === true)
    }),
    { numRuns: 500 },
  )
})

test('an empty text is too short, but neither copied nor personal', () => {
  const checks = checkWriting({ body: ' ', usedFor: '', notFor: '', rating: null }, null, true)
  expect(reasonsAgainst(checks)).toEqual([
    'Answer both questions about how you used the product, each with at least 10 characters.',
    'Choose a rating from 1 to 5 stars.',
    'Write at least 40 words or 3 sentences.',
  ])
})

test('words that are repeated too often are explained beside the count', () => {
  const lengthOf = (body: string) =>
    checkWriting({ body, usedFor: '', notFor: '', rating: null }, null, true).find(
      ({ code }) => code === 'TOO_SHORT',
    )?.label
  expect(lengthOf(good)).not.toMatch(/at most/)
  expect(lengthOf('good '.repeat(41))).toMatch(/\(5 and 0 so far\)\. A word counts 5 times at most/)
  expect(lengthOf(`${good} ${good}`)).toMatch(/a sentence once$/)
})

test('a near-duplicate is pointed out, and is no reason against submitting', () => {
  const writing = { body: good, usedFor: 'Planning two weeks', notFor: 'People on paper', rating: 1 }
  const checks = checkWriting(writing, true, true)
  expect(checks.filter(({ state }) => state === 'wrong')).toMatchObject([{ code: 'SIMILAR_TEXT' }])
  expect(reasonsAgainst(checks)).toEqual([])
})

test('all ratings pass the checks alike', () => {
  const states = [1, 2, 3, 4, 5].map((rating) =>
    JSON.stringify(checkWriting({ body: good, usedFor: '', notFor: '', rating }, false, true)),
  )
  expect(new Set(states).size).toBe(1)
})
