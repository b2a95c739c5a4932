import { z } from 'zod'
import { accountRefusals } from './accounts.ts'
import { call, cents, done, id, refusing, time } from './kit.ts'

/**
 * How long the link to an archive of my data works, in hours, and how many archives a member may request a
 * day.
 */
export const exportLinkHours = 24
export const exportsPerDay = 2
/** How many times a day a member may try to delete their account. */
export const erasuresPerDay = 2

export const privacyRefusals = {
  EXPORT_GONE: {
    status: 404,
    message:
      `This archive was already downloaded, or its ${exportLinkHours} hours are over. ` +
      'Request a new one.',
  },
  NAME_MISMATCH: { status: 400, message: 'Type your username exactly to confirm.' },
  LAST_ADMIN: { status: 409, message: 'You are the last admin. Make another member an admin first.' },
}

export const dataExport = z.object({
  id,
  state: z.enum(['preparing', 'ready', 'downloaded', 'expired', 'failed']),
  requestedAt: time,
  /** When the download expires; null while it is being prepared. */
  expiresAt: time.nullable(),
  bytes: z.int().nullable(),
})
export type DataExport = z.infer<typeof dataExport>

/**
 * The single download of an archive: POST to this path with `exportToken` as JSON, signed in as its owner.
 * The answer is the ZIP. A second or late request, or one by another user, is EXPORT_GONE. The mail links to
 * /settings?export=<id>#token=….
 */
export const exportDownloadPath = (exportId: string) => `/api/account/export/${exportId}/download`
export const exportToken = z.strictObject({ token: z.string().max(200) })

/** What deleting the account ends, as counts of this moment. The confirmation shows them. */
export const erasureFacts = z.object({
  username: z.string().nullable(),
  /** The text to type as confirmation: the username, or the email address when there is no username. */
  confirmWith: z.string(),
  /** My unanswered offers: they are withdrawn, and their requests are offered to other members. */
  openOffers: z.int(),
  /**
   * Reviews I owe, returned and reported ones too: they end, the seller’s request keeps its place, and they
   * count as missed if I join again.
   */
  reviewsBeingWritten: z.int(),
  /** Final reviews of mine that were returned and not answered: they count as missed if I join again. */
  reviewsUnanswered: z.int(),
  /** My requests that no member has accepted: they are cancelled. */
  openRequests: z.int(),
  /** Reviews of my products that are being written: they end without a strike for the writer. */
  reviewsOfMineBeingWritten: z.int(),
  /** Other submitted reviews, by me or for me, that are not final: they become final. */
  reviewsWaiting: z.int(),
  /** Those of them that I wrote: they don’t pay for what I owe. */
  reviewsUnchecked: z.int(),
  products: z.int(),
  reviewsGiven: z.int(),
  reviewsReceived: z.int(),
  /** With the reviews for me that become final, and without those that I wrote. */
  balance: z.int(),
  /** A suspension goes on if I join again. */
  suspended: z.boolean(),
  /** A bank disputes a payment of mine: I am suspended if I join again. */
  paymentDisputed: z.boolean(),
  /** Missed reviews and sanctions that count now: they count if I join again. */
  strikes: z.int(),
  sanctions: z.int(),
  membershipActive: z.boolean(),
  membershipPaidUntil: time.nullable(),
  /** Whether I pay by a subscription, which is canceled. */
  subscribed: z.boolean(),
  /** What is refunded of my payments, in cents; null for nothing. */
  refundCents: cents.nullable(),
})
export type ErasureFacts = z.infer<typeof erasureFacts>

export const privacy = {
  requestExport: call
    .route({
      method: 'POST',
      path: '/account/export',
      summary: 'Request an archive of all data that is stored about me',
      successStatus: 202,
    })
    .output(dataExport)
    .errors(refusing(accountRefusals)),
  findExport: call
    .route({ method: 'GET', path: '/account/export', summary: 'My latest archive, if any' })
    .output(dataExport.nullable()),
  getErasureFacts: call
    .route({ method: 'GET', path: '/account/erasure', summary: 'What deleting my account ends' })
    .output(erasureFacts),
  eraseAccount: call
    .route({
      method: 'POST',
      path: '/account/erasure',
      summary: 'Delete my account and my data',
    })
    .input(z.strictObject({ username: z.string().max(254) }))
    .output(done)
    .errors(refusing(accountRefusals, privacyRefusals)),
}
