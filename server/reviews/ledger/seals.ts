// The published part of the ledger's chain. A seal covers the links since the one before, once a UTC day, and
// more often in a club that writes thousands of entries a day. It shows no entry and no number of entries.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { sealsOnPage } from '#contract/ledger.ts'
import type { LedgerSeal, LedgerSeals } from '#contract/ledger.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction, today } from '#server/kit/db/db.ts'
import { rootOf, treeOf } from './merkle.ts'

/** A seal covers at most so many links, so that a proof reads few rows whatever the size of the club. */
const sealLinks = 4096

/** Seals what is due: the links of past days, and full seals of today. Running it again changes nothing. */
export async function sealLedger(ctx: Ctx, { most = sealLinks }: { most?: number } = {}) {
  while (await sealOnce(ctx, most));
}

type Due = { number: number; after: string; day: string; previous: Buffer | null; dayOver: boolean }

function sealOnce(ctx: Ctx, most: number): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('ledger-seals', 0))`.execute(ctx.db)
    const { rows: due } = await sql<Due>`
      select coalesce(s.number, 0) + 1 as number, coalesce(s.last_seq, 0)::text as after, s.hash as previous,
        ${today}::text as day, coalesce(s.day < ${today}, true) as day_over
      from (select 1) one
        left join (select * from ledger_seals order by number desc limit 1) s on true`.execute(ctx.db)
    const { number, after, day, previous, dayOver } = due[0]!
    const { rows: links } = await sql<{ seq: string; leaf: Buffer; hash: Buffer; delta: number }>`
      select c.seq::text, c.leaf, c.hash, e.delta
      from ledger_chain c join ledger_entries e on e.id = c.entry_id
      where c.seq > ${after}::bigint order by c.seq limit ${most}`.execute(ctx.db)
    const last = links.at(-1)
    if (!last || (!dayOver && links.length < most)) return false
    const salt = randomBytes(32)
    const root = rootOf(
      treeOf(
        links.map(({ leaf }) => leaf),
        salt,
      ),
    )
    const sealed = { number, day, root, head: last.hash }
    await sql`insert into ledger_seals (number, day, last_seq, entries, sum, salt, root, head, hash)
      values (${number}, ${day}::date, ${last.seq}::bigint, ${links.length},
        ${links.reduce((sum, { delta }) => sum + delta, 0)}, ${salt}, ${root}, ${last.hash},
        ${sealHash(sealed, previous)})`.execute(ctx.db)
    return true
  })
}

/** The hash of a seal, over the one before it (docs/signed-statements.md). */
function sealHash(
  { number, day, root, head }: { number: number; day: string; root: Buffer; head: Buffer },
  previous: Buffer | null,
): Buffer {
  const before = previous ?? Buffer.alloc(32)
  const lines = ['evenhand-ledger-seal/1', number, day, ...[root, head, before].map(hex)]
  return createHash('sha256').update(lines.join('\n')).digest()
}

const hex = (bytes: Buffer) => bytes.toString('hex')

/** The seals after a number, oldest first. All that is published of the chain. */
export async function listLedgerSeals(ctx: Ctx, { after = 0 }: { after?: number }): Promise<LedgerSeals> {
  const { rows } = await sql<LedgerSeal>`
    select number, day::text, encode(root, 'hex') as root, encode(head, 'hex') as head,
      encode(hash, 'hex') as hash
    from ledger_seals where number > ${after} order by number limit ${sealsOnPage}`.execute(ctx.db)
  return {
    format: 'evenhand-ledger-seals/1',
    seals: rows,
    next: rows.length < sealsOnPage ? null : rows.at(-1)!.number,
  }
}
