import { z } from 'zod'
import { accountRefusals } from './accounts.ts'
import { call, done, id, refusing, time } from './kit.ts'
import { settingsRefusals } from './settings.ts'

/** How long the link to an archive of my data works, in hours, and how often one may be asked for, a day. */
export const exportLinkHours = 24
export const exportsPerDay = 2

export const privacyRefusals = {
  EXPORT_GONE: {
    status: 404,
    message: 'This archive was downloaded already, or its 24 hours are over. Ask for a new one.',
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

/** What deleting the account would end, counted now, so that it can be said before. */
export const erasureFacts = z.object({
  username: z.string().nullable(),
  openOffers: z.int(),
  reviewsBeingWritten: z.int(),
  openRequests: z.int(),
  reviewsOfMineBeingWritten: z.int(),
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
    .errors(refusing(settingsRefusals)),
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
    .input(z.strictObject({ username: z.string().max(64) }))
    .output(done)
    .errors(refusing(accountRefusals, settingsRefusals, privacyRefusals)),
}
