// What a member needs to show that their entries are in the chain: the hashes of each, and its path to the
// root of its seal. Two members' proofs have nothing in common but the seal.
import { sql } from 'kysely'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { pathOf, treeOf } from './merkle.ts'

type Link = { entryId: string; salt: Buffer; details: Buffer; leaf: Buffer; seal: number | null }
type Sealed = { number: number; day: string; root: string; head: string; previous: string; hash: string }

type EntryProof = {
  salt: string
  details: string
  /** Null until the next seal, which is made after the end of the day. */
  sealed: { seal: number; place: number; path: string[] } | null
}

/** The proofs of these entries by their ids, the seals that they need, and the key that owns the entries. */
export async function proveEntries(ctx: MemberCtx, entryIds: readonly string[]) {
  const { rows: links } = await sql<Link>`
    select c.entry_id, c.salt, c.details, c.leaf,
      (select number from ledger_seals s where s.last_seq >= c.seq order by s.last_seq limit 1) as seal
    from ledger_chain c where c.entry_id = any(${[...entryIds]}::uuid[])`.execute(ctx.db)
  const numbers = [...new Set(links.flatMap(({ seal }) => seal ?? []))].toSorted((one, other) => one - other)
  const proofs = new Map<string, EntryProof>()
  // One seal at a time: its tree is all that is held.
  for (const number of [null, ...numbers]) {
    const levels = number === null ? [] : await readTree(ctx, number)
    for (const { entryId, salt, details, leaf } of links.filter(({ seal }) => seal === number)) {
      const sealed = number === null ? null : { seal: number, ...hexPath(pathOf(levels, leaf)) }
      proofs.set(entryId, { salt: salt.toString('hex'), details: details.toString('hex'), sealed })
    }
  }
  return { owner: await readKey(ctx), proofs, seals: await readSeals(ctx, numbers) }
}

const hexPath = ({ place, path }: { place: number; path: Buffer[] }) => ({
  place,
  path: path.map((hash) => hash.toString('hex')),
})

async function readTree(ctx: MemberCtx, number: number) {
  const { rows } = await sql<{ leaf: Buffer; salt: Buffer }>`
    select c.leaf, s.salt from ledger_seals s
      join ledger_chain c on c.seq > s.last_seq - s.entries and c.seq <= s.last_seq
    where s.number = ${number}`.execute(ctx.db)
  return treeOf(
    rows.map(({ leaf }) => leaf),
    rows[0]?.salt ?? Buffer.alloc(32),
  )
}

async function readSeals(ctx: MemberCtx, numbers: readonly number[]): Promise<Sealed[]> {
  const { rows } = await sql<Sealed>`
    select s.number, s.day::text, encode(s.root, 'hex') as root, encode(s.head, 'hex') as head,
      encode(s.hash, 'hex') as hash, coalesce(encode(p.hash, 'hex'), repeat('00', 32)) as previous
    from ledger_seals s left join ledger_seals p on p.number = s.number - 1
    where s.number = any(${[...numbers]}::int[]) order by s.number`.execute(ctx.db)
  return rows
}

async function readKey(ctx: MemberCtx): Promise<string | null> {
  const { rows } = await sql<{ key: Buffer | null }>`select ledger_key(${ctx.who.id}) as key`.execute(ctx.db)
  return rows[0]?.key?.toString('hex') ?? null
}
