import { screenRoots } from '#contract/screens.ts'
import { fact } from './fact.ts'

/** Parts of the club that a sentence may need, each with the screen that shows that it is switched on. */
const screenOf = { billing: 'billing', moderation: 'admin' }
type Part = keyof typeof screenOf

/** A sentence of a public page, and the part without which it would not be true. */
export type Claim = { text: string; needs?: Part }

/** Whether this part of the club is switched on. */
export function isOn(part: Part, screens: readonly string[] = screenRoots): boolean {
  return screens.includes(screenOf[part])
}

/** The sentences that are true of the parts that are switched on. */
export function truthOf(claims: readonly Claim[], screens: readonly string[] = screenRoots): string[] {
  return claims.flatMap(({ text, needs }) => (needs === undefined || isOn(needs, screens) ? [text] : []))
}

/** What the button to join promises: a price only where one is charged. */
export function joinLabel(demo: boolean): string {
  if (demo) return 'Try the demo club'
  return isOn('billing') ? `Join for ${fact('pricePerMonth')}` : 'Create a free account'
}
