import { z } from 'zod'
import { accountRefusals } from '../accounts.ts'
import { call, done, id, page, pageOf, prose, refusing, time } from '../kit.ts'
import { role } from '../members.ts'
import { membershipStates } from '../membership.ts'
import { exchangeRow, mailRow, staffActionRow, staffReason } from './exchanges.ts'
import { interventionRefusals } from './intervention-refusals.ts'

/** The terms of a suspension, in days; null lasts until staff lift it. */
export const suspensionDays = [1, 7, 14, 30, 90, null] as const

/** Everything about one member that fits on one screen. Its lists have calls of their own. */
const memberPage = z.object({
  id,
  email: z.string(),
  emailVerified: z.boolean(),
  emailBounced: z.boolean(),
  username: z.string().nullable(),
  displayName: z.string(),
  fullName: z.string().nullable(),
  avatar: z.string().nullable(),
  role,
  twoFactor: z.boolean(),
  locale: z.string(),
  timeZone: z.string().nullable(),
  createdAt: time,
  lastSeenAt: time.nullable(),
  membership: z.object({
    state: z.enum(membershipStates),
    /** Where it comes from; null to support, who do not see payments. */
    source: z.enum(['demo', 'stripe', 'grant']).nullable(),
    currentPeriodEnd: time.nullable(),
    pausedUntil: time.nullable(),
    /** Until when it runs after a cancellation. */
    endsAt: time.nullable(),
    /** With a failed payment: until when the member takes part. It may be over. */
    graceUntil: time.nullable(),
  }),
  /** Whether the member takes part, and what keeps them from it or from offers, in words. */
  standing: z.object({
    takesPart: z.boolean(),
    /** Why the member does not take part; null when they do. */
    whyNot: z.string().nullable(),
    /** Why the member gets no offer right now; null when they may get one. */
    whyNoOffer: z.string().nullable(),
    cooldownUntil: time.nullable(),
    declinesToday: z.int(),
  }),
  suspension: z.object({ since: time, until: time.nullable(), reason: z.string() }).nullable(),
  balance: z.object({
    balance: z.int(),
    given: z.int(),
    received: z.int(),
    pendingGive: z.int(),
    pendingTake: z.int(),
    openRequests: z.int(),
  }),
  counts: z.object({ products: z.int(), requests: z.int(), offers: z.int(), reviews: z.int() }),
  strikes: z.array(z.object({ id, at: time, exchangeId: id.nullable(), withdrawn: z.boolean() })),
  /** What counts from accounts that the member deleted: how many, since a day would lead to one of them. */
  fromBefore: z.object({ strikes: z.int(), sanctions: z.int() }),
  /** Accounts that have or had an address or a sign-in account of this one. A suspension holds for one. */
  otherAccounts: z.array(z.object({ id, name: z.string(), suspended: z.boolean() })),
  devices: z.array(
    z.object({
      id,
      label: z.string(),
      address: z.string().nullable(),
      signedInAt: time,
      lastSeenAt: time,
    }),
  ),
  notes: z.array(z.object({ id, at: time, author: z.string(), text: z.string() })),
  reports: z.array(
    z.object({
      id,
      at: time,
      caseId: id,
      /** Whether the member made it, or it is about them. */
      side: z.enum(['made', 'about']),
      reason: z.string(),
      state: z.string(),
    }),
  ),
  shops: z.array(z.object({ id, name: z.string(), address: z.string() })),
  /** What the member declared, and what others declared about them; not what concerns the caller. */
  declarations: z.array(
    z.object({
      id,
      at: time,
      kind: z.enum(['household', 'conflict', 'competitor', 'former_shop']),
      side: z.enum(['made', 'about']),
      /** The username of the other side, or an address. */
      other: z.string(),
      endsAt: time.nullable(),
      answer: z.enum(['confirmed', 'denied']).nullable(),
    }),
  ),
})
export type MemberPage = z.infer<typeof memberPage>

const ledgerRow = z.object({
  id,
  at: time,
  reason: z.enum(['gave', 'received', 'settled', 'carried', 'corrected', 'appealed']),
  delta: z.int(),
  /** The balance after this entry. */
  balance: z.int(),
  /** Null for entries without an exchange, and for exchanges of the caller's own. */
  exchangeId: id.nullable(),
  product: z.string().nullable(),
  corrects: id.nullable(),
  corrected: z.boolean(),
})
export type LedgerRow = z.infer<typeof ledgerRow>

/** A request, a review or an offer of a member. */
const memberExchangeRow = exchangeRow.extend({
  /** The id of the offer in a list of offers, else the request's. */
  key: id,
  at: time,
  /** How an offer ended, and why. */
  note: z.string().nullable(),
})
export type MemberExchangeRow = z.infer<typeof memberExchangeRow>

const activityRow = z.object({
  id,
  at: time,
  action: z.string(),
  details: z.record(z.string(), z.json()),
  address: z.string().nullable(),
})
export type ActivityRow = z.infer<typeof activityRow>

const onMember = z.strictObject({ id })
const listOf = pageOf.extend({ id })
const because = z.strictObject({ id, reason: staffReason })
const refusals = refusing(interventionRefusals)
const freshRefusals = refusing(interventionRefusals, { NOT_FRESH: accountRefusals.NOT_FRESH })

const grantedDays = 'Enter 1 to 366 days.'

export const memberPages = {
  getMemberPage: call
    .route({ method: 'GET', path: '/admin/users/{id}', summary: 'Everything about one member' })
    .input(onMember)
    .output(memberPage),
  listMemberLedger: call
    .route({ method: 'GET', path: '/admin/users/{id}/ledger', summary: 'A member’s ledger, newest first' })
    .input(listOf)
    .output(page(ledgerRow)),
  listMemberExchanges: call
    .route({
      method: 'GET',
      path: '/admin/users/{id}/exchanges',
      summary: 'Exchanges of a member on one side, newest first',
    })
    .input(listOf.extend({ side: z.enum(['seller', 'reviewer', 'offers']) }))
    .output(page(memberExchangeRow)),
  listMemberMails: call
    .route({ method: 'GET', path: '/admin/users/{id}/mails', summary: 'Mails to a member, newest first' })
    .input(listOf)
    .output(page(mailRow)),
  listMemberActivity: call
    .route({
      method: 'GET',
      path: '/admin/users/{id}/activity',
      summary: 'A member’s activity, newest first',
    })
    .input(listOf)
    .output(page(activityRow)),
  listMemberActions: call
    .route({
      method: 'GET',
      path: '/admin/users/{id}/staff-actions',
      summary: 'What staff did about a member, newest first',
    })
    .input(listOf)
    .output(page(staffActionRow)),
  addNote: call
    .route({ method: 'POST', path: '/admin/users/{id}/notes', summary: 'Add a note about a member' })
    .input(z.strictObject({ id, text: prose(2000, 1) }))
    .output(done),
  resendVerification: call
    .route({
      method: 'POST',
      path: '/admin/users/{id}/resend-verification',
      summary: 'Send the confirmation link of an unconfirmed address again',
    })
    .input(onMember)
    .output(done)
    .errors(refusals),
  suspendMember: call
    .route({ method: 'POST', path: '/admin/users/{id}/suspend', summary: 'Suspend a member' })
    .input(because.extend({ days: z.int().min(1).max(366).nullable() }))
    .output(done)
    .errors(refusals),
  liftSuspension: call
    .route({ method: 'POST', path: '/admin/users/{id}/lift-suspension', summary: 'Lift a suspension' })
    .input(because)
    .output(done)
    .errors(refusals),
  clearKept: call
    .route({
      method: 'POST',
      path: '/admin/users/{id}/clear-kept',
      summary: 'End what counts from accounts that were deleted, for a member whose they weren’t',
    })
    .input(because)
    .output(done)
    .errors(freshRefusals),
  endSessions: call
    .route({
      method: 'POST',
      path: '/admin/users/{id}/end-sessions',
      summary: 'Sign a member out everywhere',
    })
    .input(because)
    .output(done)
    .errors(freshRefusals),
  grantMembership: call
    .route({ method: 'POST', path: '/admin/users/{id}/grant', summary: 'Grant days of membership' })
    .input(because.extend({ days: z.int(grantedDays).min(1, grantedDays).max(366, grantedDays) }))
    .output(done)
    .errors(freshRefusals),
  correctEntry: call
    .route({
      method: 'POST',
      path: '/admin/users/{id}/ledger/{entryId}/correct',
      summary: 'Correct a ledger entry by its opposite',
    })
    .input(because.extend({ entryId: id }))
    .output(done)
    .errors(freshRefusals),
}
