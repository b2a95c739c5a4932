/**
 * Reads a price in dollars as whole cents: null for an empty text, NaN for one that is no price. Up to two
 * digits of cents follow a point or a comma; where only commas are typed, three digits are thousands.
 */
export function readPrice(text: string): number | null {
  const typed = text.replaceAll(/[\s$]/g, '')
  if (typed === '') return null
  const { groups } = priceForm.exec(typed) ?? {}
  if (!groups) return Number.NaN
  const whole = (groups['dollars'] ?? '').replaceAll(/[.,]/g, '')
  const amount = Number(`${whole || '0'}.${groups['cents'] || '0'}`)
  return Math.round(amount * 100) * (groups['sign'] ? -1 : 1)
}

// Thousands in groups of three with one kind of separator, or none; then cents after the other kind.
const dollars = String.raw`\d{1,3}(?:,\d{3})+(?=\.|$)|\d{1,3}(?:\.\d{3})+(?=,)|\d*`
const priceForm = new RegExp(
  String.raw`^(?=.*\d)(?<sign>-)?(?<dollars>${dollars})(?:[.,](?<cents>\d{0,2}))?$`,
)

/** The price as it is shown in a field: two digits of cents, and empty for none. */
export function writePrice(cents: number | null): string {
  return cents === null || Number.isNaN(cents) ? '' : (cents / 100).toFixed(2)
}
