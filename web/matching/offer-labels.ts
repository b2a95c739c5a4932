import { formatMoney } from '#web/kit/time.ts'

/** '$0.00 or $0.50', the lowest first. */
export function eitherPrice(cents: readonly number[]): string {
  return cents
    .toSorted((a, b) => a - b)
    .map((price) => formatMoney(price))
    .join(' or ')
}

/** '30 minutes' or '2 hours': in hours from 60 minutes on. */
export function formatMinutes(minutes: number): string {
  if (minutes < 60) return `${minutes} minutes`
  const hours = Math.round((minutes / 60) * 10) / 10
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/** '1st', '2nd', '3rd', '4th'; '21st'. */
export function ordinal(nth: number): string {
  const tens = nth % 100
  const ending = tens >= 11 && tens <= 13 ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[nth % 10] ?? 'th')
  return `${nth}${ending}`
}
