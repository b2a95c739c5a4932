// The whole chain of the ledger as a file for an auditor, who checks it with scripts/verify-ledger.mjs. It
// names no member: the owner of every entry is a hash of its own.
import { sql } from 'kysely'
import { z } from 'zod'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { PageInput } from '#server/kit/db/db.ts'
import { csvFile } from './csv-export.ts'

type Link = {
  seq: string
  day: string
  reason: string
  delta: number
  owner: string
  details: string
  hash: string
  seal: number | null
  sealSalt: string | null
}

export const ledgerCsv = csvFile({
  base: 'ledger-chain',
  action: 'ledger_exported',
  filter: z.strictObject({}),
  readRows: readLinks,
  columns: [
    ['Number', ({ seq }: Link) => seq],
    ['Day', ({ day }) => day],
    ['Reason', ({ reason }) => reason],
    ['Change', ({ delta }) => delta],
    ['Owner', ({ owner }) => owner],
    ['Details', ({ details }) => details],
    ['Hash', ({ hash }) => hash],
    ['Seal', ({ seal }) => seal],
    ['Salt of the seal', ({ sealSalt }) => sealSalt],
  ],
})

async function readLinks(ctx: MemberCtx, { cursor, limit = 1000 }: PageInput) {
  const after = /^\d{1,18}$/.test(cursor ?? '') ? cursor : '0'
  const { rows } = await sql<Link>`
    select c.seq::text, (e.at at time zone 'UTC')::date::text as day, e.reason, e.delta,
      encode(c.owner, 'hex') as owner, encode(c.details, 'hex') as details, encode(c.hash, 'hex') as hash,
      s.number as seal, encode(s.salt, 'hex') as seal_salt
    from ledger_chain c join ledger_entries e on e.id = c.entry_id
      left join lateral (select number, salt from ledger_seals where last_seq >= c.seq
        order by last_seq limit 1) s on true
    where c.seq > ${after}::bigint order by c.seq limit ${limit}`.execute(ctx.db)
  return { items: rows, next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) }
}
