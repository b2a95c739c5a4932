import { oc } from '@orpc/contract'
import { z } from 'zod'

/** A row's id: a UUID made by the server. An id is never a secret. */
export const id = z.uuid()

/** A moment in UTC, as ISO 8601 text with at most microseconds. */
export const time = z.iso.datetime({ offset: true })

/** A month in UTC, for example '2026-11'. */
export const month = z.string().regex(/^\d{4}-\d{2}$/)

/** An amount of money in whole cents of US dollars. */
export const cents = z.int().min(0).max(100_000_000)

/**
 * One line of plain text, trimmed. Refuses control characters, line breaks and marks that change the
 * direction of text.
 */
export function line(max: number, min = 0) {
  return z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((text) => text.isWellFormed() && !breaking.test(text), 'Control characters are not allowed')
}

/** Text from another source, with spaces in place of everything that `line` refuses. */
export function asLine(text: string): string {
  return text.toWellFormed().split(breaking).join(' ')
}

// Control characters, the two separators, and the marks of direction (UAX 9, section 2).
const breaking = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Plain text of several lines: line breaks are kept, other control characters are refused. */
export function prose(max: number, min = 0) {
  return z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((text) => !hasControlCharacter(text), 'Control characters are not allowed')
}

function hasControlCharacter(text: string) {
  if (!text.isWellFormed()) return true
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const isLineBreak = code === 10 || code === 13 || code === 9
    if ((code < 32 && !isLineBreak) || code === 127) return true
  }
  return false
}

/** A place in a keyset-ordered list. It is opaque: callers return it as they received it. */
const cursor = z
  .string()
  .max(200)
  .regex(/^[\w-]+$/)

export const pageOf = z.strictObject({
  cursor: cursor.optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
})

/** One page of a list. `next` is the cursor of the following page, null at the end. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: cursor.nullable() })
}

/** The answer of a write that has nothing else to return. */
export const done = z.object({ ok: z.literal(true) })

/**
 * The details of a refusal: the field it concerns, the moment at which it ends, or the seconds after which
 * the same call may succeed.
 */
const refusalData = z
  .object({
    field: z.string().optional(),
    at: z.string().optional(),
    wait: z.int().optional(),
    title: z.string().optional(),
    reason: z.string().optional(),
  })
  .optional()

export type RefusalData = z.infer<typeof refusalData>

export type RefusalText = { status: number; title?: string; message: string }

/** Refusals that any call may answer with. */
export const commonRefusals = {
  UNAUTHORIZED: { status: 401, title: 'Authentication required', message: 'Please sign in to continue.' },
  FORBIDDEN: { status: 403, message: 'You are not allowed to do this.' },
  TWO_FACTOR_NEEDED: {
    status: 403,
    title: 'Two-factor authentication',
    message: 'Staff need two-factor authentication. Switch it on in Settings first.',
  },
  OWN_MATTER: {
    status: 403,
    message: 'This is about you. Another member of staff has to do it.',
  },
  NOT_FOUND: { status: 404, message: 'This does not exist, or it is not yours.' },
  CONFLICT: { status: 409, message: 'This has changed in the meantime. Reload and try again.' },
  IDEMPOTENCY_REUSED: {
    status: 422,
    message: 'This request was already sent with other content. Reload and try again.',
  },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many attempts. Please try again in a minute.' },
  TOO_LARGE: { status: 413, message: 'This is too large.' },
  STORAGE_FULL: {
    status: 507,
    message: 'There is no space to store this right now. Please try again later.',
  },
  UNAVAILABLE: { status: 503, message: 'This is not available right now. Please try again in a minute.' },
  BUSY: {
    status: 503,
    title: 'Very busy',
    message: 'Evenhand is very busy right now. Nothing was changed. Please try again in a minute.',
  },
} satisfies Record<string, RefusalText>

/** The wire form of a list of refusals, for the errors of one call. */
export function refusing(...groups: Record<string, RefusalText>[]) {
  const merged: Record<string, { status: number; message: string; data: typeof refusalData }> = {}
  for (const [code, text] of groups.flatMap((group) => Object.entries(group))) {
    merged[code] = { status: text.status, message: text.message, data: refusalData }
  }
  return merged
}

/** The base of every call: the common refusals are part of each. */
export const call = oc.errors(refusing(commonRefusals))
