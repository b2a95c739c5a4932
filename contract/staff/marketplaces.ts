import { z } from 'zod'
import { formLength, readForm } from '../forms.ts'
import { call, cents, done, id, line, prose, refusing, time } from '../kit.ts'
import { couponLinkLength, lane } from '../products.ts'
import { tally } from './lists.ts'
import { marketplaceRefusals } from './marketplace-refusals.ts'

/** Days until a marketplace's policy is read again, unless our staff choose another date. */
export const checkDays = 90
/** The latest next check, in days after the reading. */
const longestCheckDays = 366

/** The languages in which a disclosure can be entered besides English. */
export const disclosureLanguages = {
  de: 'German',
  es: 'Spanish',
  fr: 'French',
  it: 'Italian',
  ja: 'Japanese',
  nl: 'Dutch',
  pl: 'Polish',
  pt: 'Portuguese',
} as const
export type DisclosureLanguage = keyof typeof disclosureLanguages

const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(200)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'Enter a host such as market.example, without https:// and path.')
  .refine((text) => !text.startsWith('www.'), 'Leave out www: sub-domains are included.')
  .refine((text) => /[a-z]/.test(text.split('.').at(-1) ?? ''), 'Enter a name, not an address of numbers.')

const path = z
  .string()
  .trim()
  .toLowerCase()
  .max(200)
  .regex(
    /^(?:\/(?:[a-z0-9._-]+|\{title\}|\{id\}))+$/,
    'Write a path such as /listing/{id}, with lower-case words, {id} and {title}.',
  )
  .refine((text) => text.split('{id}').length === 2, 'Each path needs {id} exactly once.')

const paths = z
  .array(path)
  .min(1, 'Enter at least one path.')
  .max(10, 'Enter at most ten paths.')
  .refine(([first]) => !first?.includes('{title}'), 'Links are written by the first path: it has no {title}.')

const formHelp = 'Use letters, digits, hyphens, and classes with both counts such as [A-Z]{3,8}.'
const form = z
  .string()
  .trim()
  .max(formLength, `Keep it under ${formLength} characters.`)
  .regex(/^(?:\[[A-Za-z0-9_-]+\]\{[0-9]{1,2},[0-9]{1,2}\}|[A-Za-z0-9_-])+$/, formHelp)
  .refine((text) => readForm(text) !== null, formHelp)

const orderHelp =
  'Write ^(…)$ around one form, or ^0*(…)$ to ignore leading zeros, such as ^0*([1-9][0-9]{0,19})$. Order ' +
  'numbers are digits only.'
const orderPattern = z
  .string()
  .trim()
  .max(formLength)
  .refine((text) => {
    const inside = /^\^(?:0\*)?\((.+)\)\$$/.exec(text)?.[1]
    return inside !== undefined && /^[0-9[\]{},-]+$/.test(inside) && readForm(inside) !== null
  }, orderHelp)

const httpsUrl = z
  .string()
  .trim()
  .max(500)
  .refine((text) => {
    if (!/^https:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false
    const { username, password, hostname } = new URL(text)
    return !username && !password && hostname.includes('.')
  }, 'Enter the full https:// address of the policy.')

const day = z.iso.date('Choose a day.')
const disclosure = line(400)
  .refine((text) => text.length >= 20, 'Write a whole sentence of 20 to 400 characters.')
  .refine((text) => /[.!?。｡！？]$/.test(text), 'End it like a sentence.')
/** Why our staff change something; the record keeps it. */
const reason = prose(500).refine((text) => text.length >= 10, 'Give a reason of at least 10 characters.')

const openLane = z.enum(['public', 'private'])
export type OpenLane = z.infer<typeof openLane>

/** What our staff enter about a marketplace. */
export const marketplaceEntry = z.strictObject({
  name: line(60).refine((text) => text.length > 0, 'Enter the name.'),
  host,
  imageHosts: z.array(host).max(10, 'Enter at most ten hosts.'),
  lane: openLane,
  policyUrl: httpsUrl,
  policySentence: prose(600).refine(
    (text) => text.length >= 10,
    'Copy the sentence that the club relies on, word for word.',
  ),
  readBy: line(120).refine((text) => text.length > 0, 'Enter who read the policy.'),
  readOn: day,
  nextCheckOn: day,
  couponPrices: z
    .array(cents.max(10_000, 'Coupon prices go up to $100.'))
    .min(1, 'Enter at least one price.')
    .max(6, 'Enter at most six prices.')
    .refine(
      (prices) => new Set(prices).size === prices.length,
      'Enter each price once. Cents follow a point, such as 0.50.',
    ),
  verifiedPurchaseWord: line(60).refine((text) => text.length > 0, 'Enter the marketplace’s own word.'),
  disclosure,
  disclosures: z.partialRecord(z.enum(Object.keys(disclosureLanguages) as DisclosureLanguage[]), disclosure),
  listingPaths: paths,
  listingIdForm: form,
  couponParameter: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, 'Use 1 to 40 letters, digits, hyphens and underscores.'),
  couponForms: z.array(form).min(1, 'Enter at least one form.').max(20, 'Enter at most twenty forms.'),
  orderPattern,
})
export type MarketplaceEntry = z.infer<typeof marketplaceEntry>

const dated = (entry: { readOn: string; nextCheckOn: string }) => {
  const days = (Date.parse(entry.nextCheckOn) - Date.parse(entry.readOn)) / 86_400_000
  return days > 0 && days <= longestCheckDays
}
const datedMessage = {
  path: ['nextCheckOn'],
  message: 'Choose a day after the reading, at most a year later.',
}

/** The entry with its dates in order. */
export const datedEntry = marketplaceEntry.refine(dated, datedMessage)

const places = {
  /** Products on it that are not deleted, and how many members sell them. */
  products: tally,
  sellers: tally,
  /** Requests that wait, are held or are offered. */
  openRequests: tally,
  openOffers: tally,
  /** Reviews that are still to be bought, written or corrected. */
  inProgress: tally,
}

/** A marketplace as a row of the register. */
const registerRow = z.object({
  id,
  name: z.string(),
  host: z.string(),
  lane,
  readOn: z.string(),
  readBy: z.string(),
  nextCheckOn: z.string(),
  /** Days since the check was due; negative while it is ahead. */
  overdueDays: z.int(),
  ...places,
})
export type RegisterRow = z.infer<typeof registerRow>

/** A change of an entry: who made it, why, and the entry before it. */
const entryVersion = z.object({
  version: z.int(),
  policyVersion: z.int(),
  lane,
  entry: marketplaceEntry,
  replacedAt: time,
  /** What replaced it: an underscore-separated code of the record. */
  action: z.string(),
  by: z.string(),
  reason: z.string().nullable(),
})
export type EntryVersion = z.infer<typeof entryVersion>

const reviewsAtClosing = z.enum(['finish', 'end'])
export type ReviewsAtClosing = z.infer<typeof reviewsAtClosing>

/** A marketplace with its whole entry. A closed one keeps the lane in which it was open. */
const registerEntry = z.object({
  id,
  version: z.int(),
  policyVersion: z.int(),
  lane,
  overdueDays: z.int(),
  entry: marketplaceEntry,
  ...places,
  /** Reviews in progress of which the purchase is proven. */
  bought: tally,
  /** Members who agreed to the present policy. */
  consents: tally,
  closure: z
    .object({ reason: z.string(), reviews: reviewsAtClosing, closedAt: time, laneBefore: openLane })
    .nullable(),
  versions: z.array(entryVersion),
})
export type RegisterEntry = z.infer<typeof registerEntry>

/** How the product reads a link with an entry as it is typed. */
const linkReading = z.object({
  host: z.string().nullable(),
  listing: z.string().nullable(),
  coupon: z.string().nullable(),
  /** The link as it would be kept. */
  link: z.string().nullable(),
  /** The marketplace that reads it: another one may have a longer host. */
  marketplace: z.string().nullable(),
  /** What a member would read instead, word for word, and the cause for our staff. */
  refusal: z.object({ title: z.string().nullable(), message: z.string(), cause: z.string() }).nullable(),
})
export type LinkReading = z.infer<typeof linkReading>

/** The part of an entry that decides how links are read. */
export const linkEntry = marketplaceEntry.pick({
  name: true,
  host: true,
  listingPaths: true,
  listingIdForm: true,
  couponParameter: true,
  couponForms: true,
})

const changed = z.object({ id, version: z.int() })
const errors = refusing(marketplaceRefusals)

export const marketplaces = {
  listRegister: call
    .route({ method: 'GET', path: '/admin/marketplaces', summary: 'Marketplaces, overdue checks first' })
    .output(z.array(registerRow)),
  getRegisterEntry: call
    .route({ method: 'GET', path: '/admin/marketplaces/{id}', summary: 'One marketplace with its versions' })
    .input(z.strictObject({ id }))
    .output(registerEntry),
  readTestLink: call
    .route({ method: 'POST', path: '/admin/marketplaces/read-link', summary: 'How a link would be read' })
    .input(
      z.strictObject({ id: id.optional(), entry: linkEntry, link: z.string().max(2 * couponLinkLength) }),
    )
    .output(linkReading),
  addMarketplace: call
    .route({
      method: 'POST',
      path: '/admin/marketplaces',
      summary: 'List a marketplace',
      successStatus: 201,
    })
    .input(z.strictObject({ entry: datedEntry, reason }))
    .output(changed)
    .errors(errors),
  editMarketplace: call
    .route({ method: 'PUT', path: '/admin/marketplaces/{id}', summary: 'Change an entry' })
    .input(z.strictObject({ id, version: z.int(), entry: datedEntry, reason }))
    .output(changed)
    .errors(errors),
  checkMarketplace: call
    .route({
      method: 'POST',
      path: '/admin/marketplaces/{id}/check',
      summary: 'Record that the policy was read again today',
    })
    .input(
      z.strictObject({
        id,
        version: z.int(),
        policySentence: marketplaceEntry.shape.policySentence,
        readBy: marketplaceEntry.shape.readBy,
        nextCheckOn: day,
        reason,
      }),
    )
    .output(changed)
    .errors(errors),
  closeMarketplace: call
    .route({
      method: 'POST',
      path: '/admin/marketplaces/{id}/close',
      summary: 'Close a marketplace: no draws, no acceptances, requests are held',
    })
    .input(z.strictObject({ id, reason, reviews: reviewsAtClosing }))
    .output(done)
    .errors(errors),
  reopenMarketplace: call
    .route({
      method: 'POST',
      path: '/admin/marketplaces/{id}/reopen',
      summary: 'Open a marketplace again: held requests return to their places',
    })
    .input(z.strictObject({ id, reason, lane: openLane }))
    .output(done)
    .errors(errors),
}
