import { z } from 'zod'
import { caseSubject } from '../moderation.ts'
import { call, done, id, page, pageOf, prose, refusing, time } from '../kit.ts'
import { flagRefusals } from './flag-refusals.ts'

/** What automatic checks notice. Nothing follows from it: a person looks at each. */
export const flagKinds = {
  similar_text: 'Similar text',
  quick_use: 'Reviewed quickly',
  similar_proof: 'Similar proof',
  ring: 'Ring',
  listing_claim: 'Listing claimed twice',
  broken_listing: 'Broken listing',
} as const
export type FlagKind = keyof typeof flagKinds
const flagKind = z.enum(Object.keys(flagKinds) as FlagKind[])

/** A review is flagged when it was submitted within this share above the minimum time of use. */
export const quickUseShare = 0.1

/** How long the reason is with which a flag is dismissed, or a case opened. */
export const flagReasonLength = { min: 10, max: 1000 }

const flagState = z.enum(['open', 'closed'])
export type FlagState = z.infer<typeof flagState>

/** What a flag is about. A link leads to the member, or to the listing on its marketplace. */
const flagSubject = z.object({
  label: z.string(),
  text: z.string(),
  memberId: id.nullable(),
  href: z.string().nullable(),
})

const flagRow = z.object({
  id,
  kind: flagKind,
  /** What was compared, the values, and the limit. */
  why: z.string(),
  about: z.array(flagSubject),
  foundAt: time,
  /** What a case can be opened about; null when there is no one review or listing for it. */
  caseAbout: caseSubject.nullable(),
  closed: z
    .object({
      as: z.enum(['dismissed', 'case']),
      at: time,
      by: z.string(),
      reason: z.string(),
      caseId: id.nullable(),
    })
    .nullable(),
})
export type FlagRow = z.infer<typeof flagRow>

/** A flag with the texts that were compared. Never with a rating. */
const flagFile = flagRow.extend({ texts: z.array(z.object({ label: z.string(), text: z.string() })) })
export type FlagFile = z.infer<typeof flagFile>

const closing = z.strictObject({ id, reason: prose(flagReasonLength.max, flagReasonLength.min) })

export const flags = {
  listFlags: call
    .route({ method: 'GET', path: '/admin/moderation/flags', summary: 'What checks noticed, newest first' })
    .input(pageOf.extend({ state: flagState.optional(), kind: flagKind.optional() }))
    .output(page(flagRow).extend({ open: z.int() })),
  getFlag: call
    .route({ method: 'GET', path: '/admin/moderation/flags/{id}', summary: 'A flag with what was compared' })
    .input(z.strictObject({ id }))
    .output(flagFile),
  dismissFlag: call
    .route({ method: 'POST', path: '/admin/moderation/flags/{id}/dismiss', summary: 'Dismiss a flag' })
    .input(closing)
    .output(done),
  openFlagCase: call
    .route({ method: 'POST', path: '/admin/moderation/flags/{id}/case', summary: 'Open a case from a flag' })
    .input(closing)
    .output(z.object({ caseId: id }))
    .errors(refusing(flagRefusals)),
}
