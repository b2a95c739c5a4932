import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countText,
  hasPersonalData,
  isLongEnough,
  plainText,
  reviewLength,
  startsWithDisclosure,
  withDisclosure,
  withoutDisclosure,
} from './review-text.ts'
import { canSubmitReview, draft } from './reviews.ts'
import type { ReviewRefusal, SubmissionFacts } from './reviews.ts'

// A fixed seed, so that a failure repeats in every run.
fc.configureGlobal({ seed: 1 })

const disclosure = 'I belong to a review exchange and bought this with a discount code; my opinion is my own.'

/** This many different words, without any sentence. */
function differentWords(count: number, from = 0) {
  return Array.from({ length: count }, (_, index) => `word${from + index}`).join(' ')
}

const word = fc.string({ unit: fc.constantFrom(...'abcdefgäñ7'), minLength: 1, maxLength: 8 })
const words = fc.array(word, { maxLength: 80 })
const unseen = fc.constantFrom('\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u3164', '\u202e', '\ufe0f')

describe('the length of a review', () => {
  test.each([
    ['39 words in 2 sentences are too short', `${differentWords(20)}. ${differentWords(19, 20)}.`, false],
    ['39 words are too short', differentWords(39), false],
    ['40 words are long enough', differentWords(40), true],
    ['2 sentences are too short', 'The tabs are clear. The guide is short.', false],
    ['3 sentences are long enough', 'The tabs are clear. The guide is short! Would I buy it again?', true],
    [
      '3 sentences that end in quotation marks are',
      'It says “start here.” I did just that. The sums agreed then.',
      true,
    ],
    ['the same word 40 times is too short', 'good '.repeat(40), false],
    ['the same sentence three times is too short', 'I like it. I LIKE  it! I like it?', false],
    ['three sentences that each repeat one word are too short', 'So so so. Ha ha ha. No no no.', false],
    ['40 words spelt in full width are long enough', differentWords(40).replaceAll('w', 'ｗ'), true],
    [
      'three sentences without spaces between words are long enough',
      '予算の表は使いやすい。説明書は短くて分かりやすい。週払いの人には合わない。',
      true,
    ],
    ['one short sentence without spaces is too short', '予算の表は使いやすい。', false],
    ['marks belong to their letters', 'यह बजट तालिका बहुत काम की है', false],
    ['nothing is too short', '', false],
    ['dots alone are too short', '. . . ! ! ! ? ? ?', false],
  ])('%s', (_, text, enough) => {
    expect(isLongEnough(text)).toBe(enough)
  })

  test('does not grow with invisible characters, at any position', () => {
    fc.assert(
      fc.property(words, fc.array(fc.tuple(fc.nat(), unseen), { maxLength: 60 }), (list, padding) => {
        let text = list.join(' ')
        for (const [at, character] of padding) {
          const place = at % (text.length + 1)
          text = text.slice(0, place) + character + text.slice(place)
        }
        expect(countText(text)).toEqual(countText(list.join(' ')))
      }),
    )
  })

  test('counts a repeated word five times and no more', () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 300 }), (one, times) => {
        expect(countText(`${one} `.repeat(times)).words).toBe(Math.min(times, 5))
      }),
    )
  })

  test('does not depend on the order, the case or the spacing of the words', () => {
    fc.assert(
      fc.property(words, fc.constantFrom(' ', '\n', '  ', '\t', ', '), (list, space) => {
        const other = list.toReversed().join(space).toUpperCase()
        expect(countText(other).words).toBe(countText(list.join(' ')).words)
      }),
    )
  })

  test('never counts more words than there are, and never fewer when one is added', () => {
    fc.assert(
      fc.property(words, word, (list, more) => {
        const count = countText(list.join(' ')).words
        expect(count).toBeLessThanOrEqual(list.length)
        expect(countText([...list, more].join(' ')).words).toBeGreaterThanOrEqual(count)
      }),
    )
  })

  test('gains no sentence when the text is repeated', () => {
    const sentences = fc
      .array(fc.array(word, { minLength: 1, maxLength: 6 }), { maxLength: 6 })
      .map((list) => list.map((parts) => `${parts.join(' ')}. `).join(''))
    fc.assert(
      fc.property(sentences, (text) => {
        expect(countText(text + text).sentences).toBe(countText(text).sentences)
      }),
    )
  })

  test('is computed for any text, and the normal form is stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(plainText(plainText(text))).toBe(plainText(text))
        expect(countText(text).words).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

test('a draft may be twice as long as a review, in any script, and takes one call', () => {
  for (const letter of ['a', '語', '🎈']) {
    const text = letter.repeat((2 * reviewLength.characters) / letter.length)
    const long = { rating: null, text, usedFor: '', notFor: '', aiAssisted: false }
    expect(draft.safeParse(long).success).toBe(true)
    expect(new TextEncoder().encode(JSON.stringify({ draft: long })).length).toBeLessThan(64 * 1024)
  }
})

describe('the disclosure', () => {
  test('in front of a review is found and removed, for any text of the review', () => {
    fc.assert(
      fc.property(words, (list) => {
        const body = list.join(' ')
        const text = withDisclosure(disclosure, body)
        expect(startsWithDisclosure(text, disclosure)).toBe(true)
        expect(withoutDisclosure(text, disclosure)).toBe(body)
      }),
    )
  })

  test('adds nothing to the length, in any spelling and any number', () => {
    const loud = disclosure.toUpperCase().replaceAll(' ', '\u200b\n')
    const padded = `\ufeff ${loud} ${disclosure}\n${disclosure}`
    expect(withoutDisclosure(`${padded} Good.`, disclosure)).toBe('Good.')
  })

  test.each([
    ['at the end', `Good. ${disclosure}`],
    ['with a word left out', disclosure.replace('review ', '')],
    ['in part', disclosure.slice(0, 40)],
  ])('does not count %s', (_, text) => {
    expect(startsWithDisclosure(text, disclosure)).toBe(false)
  })
})

describe('personal data', () => {
  test.each([
    'See https://shop.example/me',
    'look at www.shop.example',
    'write to anna@evenhand.example',
    'write to anna＠evenhand.example',
    'call +49 170 1234567',
    'call 0170 123 45 67 8',
    'call 017\u200b0 1234567',
  ])('is found in “%s”', (text) => {
    expect(hasPersonalData(text)).toBe(true)
  })

  test.each(['12 tabs and 140 names', 'It cost 14.00 in 2026.', 'and/or', 'p. 4, 5 and 6 of 120'])(
    'is not seen in “%s”',
    (text) => {
      expect(hasPersonalData(text)).toBe(false)
    },
  )
})

describe('submitting a review', () => {
  const ready: SubmissionFacts = {
    status: 'purchased',
    lane: 'public',
    hasProof: true,
    usedLongEnough: true,
    rating: 2,
    text: withDisclosure(disclosure, 'The tabs are clear. The guide is short. I missed a weekly view.'),
    usedFor: 'Our budget for January.',
    notFor: 'People who are paid weekly.',
    attested: true,
    posted: true,
    disclosure,
  }
  const body = 'The tabs are clear. The guide is short. I missed a weekly view.'

  test('is possible when everything is there, with any rating', () => {
    for (const rating of [1, 2, 3, 4, 5]) expect(canSubmitReview({ ...ready, rating })).toBe(true)
    expect(canSubmitReview({ ...ready, status: 'returned' })).toBe(true)
  })

  const refused: [string, Partial<SubmissionFacts>, ReviewRefusal][] = [
    ['before the purchase is proven', { status: 'pending' }, 'PROOF_MISSING'],
    ['without a proof', { hasProof: false }, 'PROOF_MISSING'],
    ['when it was already submitted', { status: 'reviewed' }, 'NOT_WRITABLE'],
    ['when it is final', { status: 'verified' }, 'NOT_WRITABLE'],
    ['when it lapsed', { status: 'lapsed' }, 'NOT_WRITABLE'],
    ['before the product was used long enough', { usedLongEnough: false }, 'TOO_SOON'],
    ['without a rating', { rating: null }, 'RATING_MISSING'],
    ['over 8,000 characters', { text: withDisclosure(disclosure, 'abc '.repeat(2001)) }, 'TOO_LONG'],
    ['without the disclosure', { text: body }, 'DISCLOSURE_MISSING'],
    ['too short', { text: withDisclosure(disclosure, 'Good.') }, 'TOO_SHORT'],
    [
      'when only the disclosure makes it long enough',
      { text: `${disclosure} ${disclosure} ${disclosure}` },
      'TOO_SHORT',
    ],
    ['with a link', { text: withDisclosure(disclosure, `${body} www.shop.example`) }, 'PERSONAL_DATA'],
    ['without an answer', { notFor: ' nothing ' }, 'ANSWERS_MISSING'],
    ['without the attestation', { attested: false }, 'ATTESTATION_MISSING'],
    ['before it is posted', { posted: false }, 'POSTING_MISSING'],
  ]
  test.each(refused)('is refused %s', (_, change, code) => {
    expect(canSubmitReview({ ...ready, ...change })).toBe(code)
  })

  test('requires neither disclosure nor posting where reviews stay private', () => {
    expect(canSubmitReview({ ...ready, lane: 'private', text: body, posted: false })).toBe(true)
  })
})
