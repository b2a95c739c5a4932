import {
  canSubmitReview,
  countText,
  hasPersonalData,
  reviewLength,
  reviewRefusals,
} from '#contract/reviews.ts'
import type { ReviewRefusal, SubmissionFacts } from '#contract/reviews.ts'

/** `open` is not done yet, `wrong` stands in the way as it is. */
export type CheckState = 'met' | 'open' | 'wrong' | 'asking'

export type ReviewCheck = { code: ReviewRefusal; label: string; state: CheckState }

/** What the server found about near-duplicates; null while it is asked or cannot be. */
type DuplicateAnswer = boolean | null

/** What the checks of the text look at: the review without its disclosure sentence, which is always in front. */
type Writing = { body: string; usedFor: string; notFor: string; rating: number | null }

/** The checks of what is written, in the order of the page. They advise; the server decides when the review is handed in. */
export function checkWriting(writing: Writing, duplicate: DuplicateAnswer, isPublic: boolean): ReviewCheck[] {
  const { body, usedFor, notFor, rating } = writing
  const isEmpty = body.trim() === ''
  const { words, sentences } = countText(body)
  const checks: ReviewCheck[] = [
    {
      code: 'ANSWERS_MISSING',
      label: 'Both questions are answered',
      state: passes({ usedFor, notFor }) ? 'met' : 'open',
    },
    { code: 'RATING_MISSING', label: 'A rating is chosen', state: passes({ rating }) ? 'met' : 'open' },
    ...(isPublic
      ? [
          {
            code: 'DISCLOSURE_MISSING' as const,
            label: 'The disclosure sentence stands in front',
            state: 'met' as const,
          },
        ]
      : []),
    {
      code: 'TOO_SHORT',
      label: `${reviewLength.words} words or ${reviewLength.sentences} sentences (${words} and ${sentences} so far)`,
      state: words >= reviewLength.words || sentences >= reviewLength.sentences ? 'met' : 'open',
    },
    {
      code: 'PERSONAL_DATA',
      label: 'No links, email addresses or phone numbers',
      state: isEmpty ? 'open' : hasPersonalData(body) ? 'wrong' : 'met',
    },
    {
      code: 'DUPLICATE_TEXT',
      label: 'Your own words, not another review or the listing',
      state: isEmpty ? 'open' : duplicate === null ? 'asking' : duplicate ? 'wrong' : 'met',
    },
  ]
  if (body.trim().length > reviewLength.characters) {
    checks.push({ code: 'TOO_LONG', label: reviewRefusals.TOO_LONG.message, state: 'wrong' })
  }
  return checks
}

/** What remains to be done after the text: the time of use, the post, the member's word. */
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
 * The sentences of what still stands in the way. What cannot be said of an empty text is no reason, and neither is a
 * question still being asked: the server asks it again.
 */
export function reasonsAgainst(checks: readonly ReviewCheck[]): string[] {
  return checks
    .filter(({ code, state }) => state === 'wrong' || (state === 'open' && !faults.has(code)))
    .map(({ code }) => reviewRefusals[code].message)
}

/** These say that something is wrong with a text, so they wait until there is one. */
const faults: ReadonlySet<ReviewRefusal> = new Set(['PERSONAL_DATA', 'DUPLICATE_TEXT'])

/** Whether the contract's own rule holds for these facts when everything else is in order. */
function passes(facts: Partial<SubmissionFacts>): boolean {
  return canSubmitReview({ ...inOrder, ...facts }) === true
}

const inOrder: SubmissionFacts = {
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
