import { z } from 'zod'
import { id, page, time } from './kit.ts'

/** Why an entry is in the ledger, as its member reads it. */
export const ledgerReasons = {
  gave: 'Review given',
  received: 'Review received',
  carried: 'Owed from another account',
  corrected: 'Corrected by our staff',
  appealed: 'Review given, counted after an appeal',
  settled: 'Settled with the club',
} as const
export type LedgerReason = keyof typeof ledgerReasons

/** The entries that count as a review given. */
export const givenReasons = ['gave', 'appealed'] as const satisfies LedgerReason[]

/** One of my entries. `balance` is the sum of all entries up to and including this one. */
const ledgerEntry = z.object({
  id,
  at: time,
  // The keys of the labels are the reasons.
  reason: z.enum(Object.keys(ledgerReasons) as LedgerReason[]),
  delta: z.int(),
  balance: z.int(),
  /** The exchange that it belongs to, never with its other side; null for an entry without one. */
  exchange: z
    .object({
      reviewId: id,
      /** The request, to check how it was drawn; null when the exchange was not drawn. */
      queueId: id.nullable(),
      productTitle: z.string(),
      side: z.enum(['mine', 'received']),
    })
    .nullable(),
})
export type LedgerEntry = z.infer<typeof ledgerEntry>

/** A page of my ledger, newest first, with the number and the sum of all of my entries. */
export const ledgerPage = page(ledgerEntry).extend({
  entries: z.int(),
  sum: z.int(),
  /** The months of these two years that have an entry, newest first, as 2026-11 (UTC). */
  months: z.array(z.string()),
})
export type LedgerPage = z.infer<typeof ledgerPage>

/** How a signed statement names its own format (docs/signed-statements.md). */
export const statementFormat = 'evenhand-ledger-statement/2'
/** How signed review cards name their format. */
export const cardsFormat = 'evenhand-review-cards/1'
/** A statement lists at most so many entries, the newest; those before are its previous balance. */
export const statementEntries = 10_000

/** A month as a statement takes it. */
export const statementMonth = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** A seal of the ledger's chain: what is published of it. Hashes are in hex. */
const ledgerSeal = z.object({ number: z.int(), day: z.iso.date(), root: hash, head: hash, hash })
export type LedgerSeal = z.infer<typeof ledgerSeal>

/** `next`: the number after which to ask again; null at the end. */
export const ledgerSeals = z.object({
  format: z.literal('evenhand-ledger-seals/1'),
  seals: z.array(ledgerSeal),
  next: z.int().nullable(),
})
export type LedgerSeals = z.infer<typeof ledgerSeals>
export const sealsOnPage = 1000
