import { createHash } from 'node:crypto'

// The partner's published test cards. No other number is accepted or kept, so that no real card can be.
type Outcome =
  | 'success'
  | 'generic_decline'
  | 'insufficient_funds'
  | 'authenticate'
  | 'fails_at_renewal'
  | 'disputed'

export type TestCard = { number: string; brand: string; outcome: Outcome; label: string }

/** What the pages offer as choices, in this order. */
export const offeredCards: TestCard[] = [
  { number: '4242424242424242', brand: 'visa', outcome: 'success', label: 'Payment succeeds' },
  { number: '4000000000000002', brand: 'visa', outcome: 'generic_decline', label: 'Card is declined' },
  { number: '4000000000009995', brand: 'visa', outcome: 'insufficient_funds', label: 'Insufficient funds' },
  { number: '4000002500003155', brand: 'visa', outcome: 'authenticate', label: '3-D Secure is required' },
  { number: '4000000000000341', brand: 'visa', outcome: 'fails_at_renewal', label: 'Renewals fail' },
  { number: '4000000000000259', brand: 'visa', outcome: 'disputed', label: 'Payment is disputed' },
]

const succeeding: Record<string, string> = {
  '4000056655665556': 'visa',
  '5555555555554444': 'mastercard',
  '2223003122003222': 'mastercard',
  '5200828282828210': 'mastercard',
  '5105105105105100': 'mastercard',
  '378282246310005': 'amex',
  '371449635398431': 'amex',
  '6011111111111117': 'discover',
  '6011000990139424': 'discover',
  '3056930009020004': 'diners',
  '36227206271667': 'diners',
  '3566002020360505': 'jcb',
  '6200000000000005': 'unionpay',
}

/** Nothing for a number that is no published test card. */
export function findTestCard(number: string): TestCard | undefined {
  const digits = number.replaceAll(/[\s-]/g, '')
  const brand = succeeding[digits]
  if (brand) return { number: digits, brand, outcome: 'success', label: 'Payment succeeds' }
  return offeredCards.find((card) => card.number === digits)
}

/**
 * The same for every use of a number, as the partner's is within one account. The first test card differs: it
 * has one for each email address, since all who try the demo pay with it and are not one person.
 */
export function fingerprintOf(number: string, email: string | null): string {
  const payer = number === offeredCards[0]?.number && email !== null ? ` of ${email.toLowerCase()}` : ''
  return createHash('sha256')
    .update(`fingerprint of ${number}${payer}`)
    .digest('base64url')
    .replaceAll(/[-_]/g, 'x')
    .slice(0, 16)
}

export type Decline = { code: string; decline_code: string; message: string }

/** Why a charge of this card fails; nothing when it succeeds. */
export function declineOf(
  { outcome }: TestCard,
  occasion: 'first' | 'renewal' | 'save',
): Decline | undefined {
  if (outcome === 'generic_decline' || (outcome === 'fails_at_renewal' && occasion === 'renewal'))
    return { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' }
  if (outcome === 'insufficient_funds')
    return {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    }
  return undefined
}

export const noTestCard: Decline = {
  code: 'card_declined',
  decline_code: 'test_mode_live_card',
  message:
    'Your card was declined. Your request was in test mode, but used a non test (live) card. ' +
    'Choose one of the test cards.',
}
