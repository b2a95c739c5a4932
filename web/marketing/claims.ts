import type { PaymentsMode } from '#contract/membership.ts'
import { fact } from './fact.ts'

/** A sentence of a public page, and what would have to be open for it to be true. */
export type Claim = { text: string; needs?: 'payments' }

/** The sentences that are true in this club. */
export function truthOf(claims: readonly Claim[], payments: PaymentsMode): string[] {
  return claims.flatMap(({ text, needs }) => (needs === undefined || payments !== 'closed' ? [text] : []))
}

/** What the button to join promises: a price only where one is charged. */
export function joinLabel({ demo, payments }: { demo: boolean; payments: PaymentsMode }): string {
  if (demo) return 'Try the demo club'
  return payments === 'closed' ? 'Create a free account' : `Join for ${fact('pricePerMonth')}`
}

/** What public pages say about membership while it can't be bought. */
export const closedText = 'Paid membership is not open yet.'
