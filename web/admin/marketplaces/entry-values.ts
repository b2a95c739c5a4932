import { z } from 'zod'
import { usualCouponPrices, usualDisclosure } from '#contract/products.ts'
import { checkDays, datedEntry } from '#contract/staff/marketplaces.ts'
import type { MarketplaceEntry } from '#contract/staff/marketplaces.ts'

const text = z.string()

const typedValues = z.object({
  name: text,
  host: text,
  imageHosts: text,
  lane: z.enum(['public', 'private']).nullable(),
  policyUrl: text,
  policySentence: text,
  readBy: text,
  readOn: text,
  nextCheckOn: text,
  couponPrices: text,
  verifiedPurchaseWord: text,
  disclosure: text,
  disclosures: z.record(text, text),
  listingPaths: text,
  listingIdForm: text,
  couponParameter: text,
  couponForms: text,
  orderPattern: text,
  reason: text,
})
/** An entry as it is typed: lists are lines of text, and prices are dollars. */
export type EntryValues = z.infer<typeof typedValues>

/** Checks what was typed by the rules of the contract, and gives the entry and the reason. */
export const entryForm = typedValues.transform(({ reason: why, ...values }, context) => {
  const prices = values.couponPrices
    .split(/[,\s]+/)
    .filter(Boolean)
    .map(centsOf)
  const entry = datedEntry.safeParse({ ...values, ...listsOf(values), couponPrices: prices.map(Number) })
  const reason = reasonGiven.safeParse(why)
  for (const { path, message } of entry.error?.issues ?? []) {
    const name = String(path[0])
    context.addIssue({ code: 'custom', path: [...path], message: messages[name] ?? message })
  }
  if (prices.includes(null)) context.addIssue({ code: 'custom', path: ['couponPrices'], message: priceHelp })
  for (const { message } of reason.error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: ['reason'], message })
  }
  return entry.success && reason.success ? { entry: entry.data, reason: reason.data } : z.NEVER
})

/** A reason, as the contract asks for one. */
export const reasonGiven = z.string().trim().min(10, 'Give a reason of at least 10 characters.').max(500)

const priceHelp = 'Write prices in dollars, such as 0.00, 0.50.'
/** The words for fields whose own rules speak of types. */
const messages: Record<string, string> = { lane: 'Choose a lane.' }

/** The part of what was typed that decides how a link is read. */
export function linkEntryOf(values: EntryValues) {
  const { name, host, listingIdForm, couponParameter } = values
  const { listingPaths, couponForms } = listsOf(values)
  return {
    name: name.trim() || 'This marketplace',
    host,
    listingIdForm,
    couponParameter,
    listingPaths,
    couponForms,
  }
}

function listsOf({
  imageHosts,
  listingPaths,
  couponForms,
}: Pick<EntryValues, 'imageHosts' | 'listingPaths' | 'couponForms'>) {
  return {
    imageHosts: linesOf(imageHosts),
    listingPaths: linesOf(listingPaths),
    couponForms: linesOf(couponForms),
  }
}

/** The values of a form that starts with an entry. */
export function valuesOf(entry: MarketplaceEntry): EntryValues {
  return {
    ...entry,
    disclosures: { ...entry.disclosures },
    imageHosts: entry.imageHosts.join('\n'),
    couponPrices: entry.couponPrices.map((price) => (price / 100).toFixed(2)).join(', '),
    listingPaths: entry.listingPaths.join('\n'),
    couponForms: entry.couponForms.join('\n'),
    reason: '',
  }
}

/** The values of a new entry, read today by this person. */
export function newValues(reader: string, today: Date): EntryValues {
  return {
    name: '',
    host: '',
    imageHosts: '',
    lane: null,
    policyUrl: '',
    policySentence: '',
    readBy: reader,
    readOn: dayOf(today),
    nextCheckOn: inDays(today, checkDays),
    couponPrices: usualCouponPrices.map((price) => (price / 100).toFixed(2)).join(', '),
    verifiedPurchaseWord: '',
    disclosure: usualDisclosure,
    disclosures: {},
    listingPaths: '/listing/{id}\n/listing/{id}/{title}',
    listingIdForm: '[0-9]{1,20}',
    couponParameter: 'coupon',
    couponForms: '[A-Za-z0-9_-]{2,40}',
    orderPattern: '^0*([1-9][0-9]{0,19})$',
    reason: '',
  }
}

/** The day of a moment in UTC, as the server counts days. */
export function inDays(today: Date, days: number): string {
  return dayOf(new Date(today.getTime() + days * 86_400_000))
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

function linesOf(value: string) {
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

/** The cents of a price such as `$0.50`; null for any other text. */
function centsOf(price: string) {
  const match = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(price)
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null
}
