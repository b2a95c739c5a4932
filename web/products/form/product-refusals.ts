// Which field of the form a refusal belongs to, and its words.
import { productRefusals } from '#contract/products.ts'
import { FormRefusal } from '#web/kit/form.tsx'
import { refusalMessage } from '#web/kit/refusal-messages.ts'
import type { ProductProblem } from './product-checks.ts'
import type { ProductValues } from './product-values.ts'

/** Refusals that name their field themselves, as in every form. */
export const withField = new Set(['FIXED_IN_REVIEW', 'DESCRIPTION_LINK', 'DESCRIPTION_HTML', 'COUPON_PRICE'])

/** The field of each other refusal, and the words for it. */
export const fieldOf: Partial<
  Record<string, { code: keyof typeof productRefusals & Titled; name: keyof ProductValues }>
> = {
  NAME_REQUIRED: { code: 'NAME_REQUIRED', name: 'title' },
  CATEGORY_REQUIRED: { code: 'CATEGORY_REQUIRED', name: 'category' },
  INVALID_LINK: { code: 'INVALID_LINK', name: 'couponLink' },
  DUPLICATE_PRODUCT: { code: 'DUPLICATE_PRODUCT', name: 'couponLink' },
  LISTING_NOT_YOURS: { code: 'LISTING_NOT_YOURS', name: 'couponLink' },
  LISTING_TAKEN: { code: 'LISTING_TAKEN', name: 'couponLink' },
  MARKETPLACE_CLOSED: { code: 'MARKETPLACE_CLOSED', name: 'couponLink' },
}
type Titled = ProductProblem['code'] | 'LISTING_NOT_YOURS' | 'LISTING_TAKEN' | 'MARKETPLACE_CLOSED'

/** What a check of the page found, at its field. */
export function refusalOf({ title, message, field, advice }: ProductProblem): FormRefusal {
  return new FormRefusal({ title, message, fields: { [field]: advice ?? message } })
}

/**
 * The title and message of a refusal. The server's text may name the marketplace; the fallback is the
 * contract's.
 */
export function messageOf(error: unknown, fallback: { title: string; message: string }) {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : null
  const title =
    typeof data === 'object' && data !== null && 'title' in data && typeof data.title === 'string'
      ? data.title
      : fallback.title
  return { title, message: refusalMessage(error, fallback.message) }
}

/** Whether the server refused malformed values, which come with their fields. */
export function hasIssues(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'data' in error &&
    typeof error.data === 'object' &&
    error.data !== null &&
    'issues' in error.data
  )
}
