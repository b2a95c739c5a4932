// My ledger, signed by the club. Two statements must not show that they are of the same exchange: they give
// days instead of moments, no product, and each entry a reference that only its own statement has.
import { sql } from 'kysely'
import { statementEntries, statementFormat } from '#contract/ledger.ts'
import type { LedgerReason } from '#contract/ledger.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { databaseNow } from '#server/kit/db/db.ts'
import { keyedHash } from '#server/kit/keyed-hash.ts'
import { canonicalJson, signPayload } from '#server/kit/signatures.ts'
import { proveEntries } from './proofs.ts'

type Row = { id: string; day: string; reason: LedgerReason; delta: number; before: number }

/**
 * The statement of this moment with its signature, as text to be saved. It has the newest `limit` entries,
 * oldest first; `previousBalance` is the sum of those before them. `month` (2026-11): its entries alone.
 */
export async function makeStatement(
  ctx: MemberCtx,
  { limit = statementEntries, month = null }: { limit?: number; month?: string | null } = {},
): Promise<string> {
  const rows = await readRows(ctx, { limit, month })
  const previousBalance = rows[0]?.before ?? (month === null ? 0 : await balanceBefore(ctx, month))
  const { username } = await ctx.db
    .selectFrom('members')
    .select('username')
    .where('id', '=', ctx.who.id)
    .executeTakeFirstOrThrow()
  const { owner, proofs, seals } = await proveEntries(
    ctx,
    rows.map(({ id }) => id),
  )
  const { payload, signature } = await signPayload(ctx, {
    format: statementFormat,
    club: ctx.config.origin,
    member: username,
    month,
    owner,
    issuedAt: await databaseNow(ctx),
    previousBalance,
    entries: rows.map(({ id, day, reason, delta, before }) => ({
      reference: keyedHash(ctx.config, 'statement', id).toString('base64url').slice(0, 22),
      day,
      reason,
      delta,
      balance: before + delta,
      proof: proofs.get(id) ?? null,
    })),
    seals,
    balance: rows.reduce((sum, { delta }) => sum + delta, previousBalance),
  })
  return `${canonicalJson({ signature, statement: payload })}\n`
}

async function readRows(ctx: MemberCtx, { limit, month }: { limit: number; month: string | null }) {
  const inMonth =
    month === null ? sql`true` : sql`at >= ${startOf(month)} and at < ${startOf(month)} + interval '1 month'`
  const { rows } = await sql<Row>`
    select * from (
      select * from (
        select id, (at at time zone 'UTC')::date::text as day, reason, delta, at,
          (sum(delta) over (order by at, id) - delta)::int as before
        from ledger_entries where member_id = ${ctx.who.id}
      ) mine where ${inMonth} order by at desc, id desc limit ${limit}
    ) newest order by at, id`.execute(ctx.db)
  return rows
}

async function balanceBefore(ctx: MemberCtx, month: string): Promise<number> {
  const { rows } = await sql<{ sum: number }>`select coalesce(sum(delta), 0)::int as sum from ledger_entries
    where member_id = ${ctx.who.id} and at < ${startOf(month)} + interval '1 month'`.execute(ctx.db)
  return rows[0]?.sum ?? 0
}

/** In SQL: the first moment of a month, in UTC. */
const startOf = (month: string) => sql`(${`${month}-01`}::timestamp at time zone 'UTC')`

/** The months, newest first, in which I have an entry: at most two years of them. */
export async function listStatementMonths(ctx: MemberCtx): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select to_char(m, 'YYYY-MM') as month
    from generate_series(date_trunc('month', clock_timestamp() at time zone 'UTC') - interval '24 months',
      date_trunc('month', clock_timestamp() at time zone 'UTC'), interval '1 month') m
    where exists (select from ledger_entries where member_id = ${ctx.who.id}
      and at >= m at time zone 'UTC' and at < (m + interval '1 month') at time zone 'UTC')
    order by m desc`.execute(ctx.db)
  return rows.map(({ month }) => month)
}
