import { countText, hasPersonalData, reviewLength, wordRepeats } from '#contract/review-text.ts'
import { answerLength, canSubmitReview, duplicateAdvice, reviewRefusals } from '#contract/reviews.ts'
import type { ReviewRefusal, SubmissionFacts } from '#contract/reviews.ts'

/** `open` is not done yet, `wrong` must be changed, `asking` waits for the server. */
export type CheckState = 'met' | 'open' | 'wrong' | 'asking'

/** The server refuses with a code of the contract; near-duplicates it leaves to our staff. */
type CheckCode = ReviewRefusal | 'SIMILAR_TEXT'

export type ReviewCheck = { code: CheckCode; label: string; state: CheckState }

/** What to change when this check is wrong. */
export function adviceFor(code: CheckCode): string {
  return code === 'SIMILAR_TEXT' ? duplicateAdvice : reviewRefusals[code].message
}

/** Whether the server found a near-duplicate. Null while there is no answer. */
type DuplicateAnswer = boolean | null

/**
 * What the text checks look at. `body` is the review without its disclosure, which is added automatically.
 */
type Writing = { body: string; usedFor: string; notFor: string; rating: number | null }

/**
 * The checks of the text, in the order of the page. They are hints: the server checks again on submission.
 */
export function checkWriting(writing: Writing, duplicate: DuplicateAnswer, isPublic: boolean): ReviewCheck[] {
  const { body, usedFor, notFor, rating } = writing
  const isEmpty = body.trim() === ''
  const { words, sentences, repeats } = countText(body)
  const checks: ReviewCheck[] = [
    {
      code: 'ANSWERS_MISSING',
      label: `Both questions answered, each with at least ${answerLength} characters`,
      state: passes({ usedFor, notFor }) ? 'met' : 'open',
    },
    { code: 'RATING_MISSING', label: 'A rating chosen', state: passes({ rating }) ? 'met' : 'open' },
    ...(isPublic
      ? [
          {
            code: 'DISCLOSURE_MISSING' as const,
            label: 'We add the disclosure for you',
            state: 'met' as const,
          },
        ]
      : []),
    {
      code: 'TOO_SHORT',
      label:
        `${reviewLength.words} words or ${reviewLength.sentences} sentences ` +
        `(${words} and ${sentences} so far)` +
        (repeats ? `. A word counts ${wordRepeats} times at most, and a sentence once` : ''),
      state: words >= reviewLength.words || sentences >= reviewLength.sentences ? 'met' : 'open',
    },
    {
      code: 'PERSONAL_DATA',
      label: 'No links, email addresses or phone numbers',
      state: isEmpty ? 'open' : hasPersonalData(body) ? 'wrong' : 'met',
    },
    {
      code: 'SIMILAR_TEXT',
      label: 'Your own words, not another review or the listing',
      state: isEmpty ? 'open' : duplicate === null ? 'asking' : duplicate ? 'wrong' : 'met',
    },
  ]
  if (body.trim().length > reviewLength.characters) {
    checks.push({ code: 'TOO_LONG', label: reviewRefusals.TOO_LONG.message, state: 'wrong' })
  }
  return checks
}

/** What is left after the text: the minimum time of use, the posting and the member's confirmation. */
type Closing = { usedLongEnough: boolean; posted: boolean; attested: boolean }

export function checkClosing(
  { usedLongEnough, posted, attested }: Closing,
  isPublic: boolean,
): ReviewCheck[] {
  return [
    {
      code: 'TOO_SOON' as const,
      label: 'You have used the product for a while',
      state: usedLongEnough ? ('met' as const) : ('open' as const),
    },
    ...(isPublic
      ? [
          {
            code: 'POSTING_MISSING' as const,
            label: 'You have posted it',
            state: posted ? ('met' as const) : ('open' as const),
          },
        ]
      : []),
    {
      code: 'ATTESTATION_MISSING' as const,
      label: 'You have confirmed that it is your own',
      state: attested ? ('met' as const) : ('open' as const),
    },
  ]
}

/**
 * The reasons against submitting, as sentences. Faults of an empty text do not count, and neither does a
 * near-duplicate: our staff looks at it.
 */
export function reasonsAgainst(checks: readonly ReviewCheck[]): string[] {
  return checks
    .filter(({ code }) => code !== 'SIMILAR_TEXT')
    .filter(({ code, state }) => state === 'wrong' || (state === 'open' && code !== 'PERSONAL_DATA'))
    .map(({ code }) => adviceFor(code))
}

/** Whether the contract's rule holds for these facts when all other facts are valid. */
function passes(facts: Partial<SubmissionFacts>): boolean {
  return canSubmitReview({ ...validFacts, ...facts }) === true
}

const validFacts: SubmissionFacts = {
  status: 'purchased',
  lane: 'private',
  hasProof: true,
  usedLongEnough: true,
  rating: 3,
  text: 'It does what it says. The steps are clear. The parts fit together.',
  usedFor: 'Planning a week of work',
  notFor: 'People who work on paper',
  attested: true,
  posted: true,
  disclosure: '',
}
