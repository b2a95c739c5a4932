import { z } from 'zod'
import { accountRefusals } from './accounts.ts'
import { call, done, id, refusing, time } from './kit.ts'

/** How long the link to an archive of my data works, in hours, and how often one may be asked for, a day. */
export const exportLinkHours = 24
export const exportsPerDay = 2
/** How often a day the deletion of an account may be tried. */
export const erasuresPerDay = 2

export const privacyRefusals = {
  EXPORT_GONE: {
    status: 404,
    message: `This archive was downloaded already, or its ${exportLinkHours} hours are over. Ask for a new one.`,
  },
  NAME_MISMATCH: { status: 400, message: 'Type your username exactly to confirm.' },
  LAST_ADMIN: { status: 409, message: 'You are the last admin. Make somebody else an admin first.' },
}

export const dataExport = z.object({
  id,
  state: z.enum(['preparing', 'ready', 'downloaded', 'expired', 'failed']),
  requestedAt: time,
  /** Until when it can be downloaded; null while it is being prepared. */
  expiresAt: time.nullable(),
  bytes: z.int().nullable(),
})
export type DataExport = z.infer<typeof dataExport>

/**
 * The one download of an archive: POST to this path with `exportToken` as JSON, signed in as its owner. The answer
 * is the ZIP; a second, late or foreign request is EXPORT_GONE. The mail links to /settings?export=<id>#token=….
 */
export const exportDownloadPath = (exportId: string) => `/api/account/export/${exportId}/download`
export const exportToken = z.strictObject({ token: z.string().max(200) })

/** What deleting the account would end, counted now, so that it can be said before. */
export const erasureFacts = z.object({
  username: z.string().nullable(),
  /** What has to be typed to confirm: the username; the email address where none was chosen yet. */
  confirmWith: z.string(),
  /** Offers to me that I have not answered: they are withdrawn, and go to somebody else. */
  openOffers: z.int(),
  /** Reviews I owe: they end without being handed in, and the seller’s request keeps its place. */
  reviewsBeingWritten: z.int(),
  /** My requests that nobody has accepted: they are cancelled. */
  openRequests: z.int(),
  /** Reviews of my products that are being written: they end, and do not count against whoever writes. */
  reviewsOfMineBeingWritten: z.int(),
  /** Handed in and not final, by me or for me: they become final at once, and their writer keeps the credit. */
  reviewsWaiting: z.int(),
  products: z.int(),
  reviewsGiven: z.int(),
  reviewsReceived: z.int(),
  balance: z.int(),
  membershipActive: z.boolean(),
  membershipPaidUntil: time.nullable(),
})
export type ErasureFacts = z.infer<typeof erasureFacts>

export const privacy = {
  requestExport: call
    .route({
      method: 'POST',
      path: '/account/export',
      summary: 'Gather everything that is kept about me in one archive',
      successStatus: 202,
    })
    .output(dataExport)
    .errors(refusing(accountRefusals)),
  findExport: call
    .route({ method: 'GET', path: '/account/export', summary: 'The archive asked for last, if any' })
    .output(dataExport.nullable()),
  getErasureFacts: call
    .route({ method: 'GET', path: '/account/erasure', summary: 'What deleting my account would end' })
    .output(erasureFacts),
  eraseAccount: call
    .route({
      method: 'POST',
      path: '/account/erasure',
      summary: 'Delete my account and what is kept about me',
    })
    .input(z.strictObject({ username: z.string().max(254) }))
    .output(done)
    .errors(refusing(accountRefusals, privacyRefusals)),
}
