// The ledger as files for its member: a table for spreadsheets, and a statement signed by the club.
import { ledgerReasons, statementMonth } from '#contract/ledger.ts'
import type { LedgerEntry } from '#contract/ledger.ts'
import { csvRow, csvStart } from '#server/kit/csv.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { databaseNow } from '#server/kit/db/db.ts'
import { fileHeaders, mountFile } from '#server/kit/http/files.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { hour, limitRate } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { listLedger } from './ledger/entries.ts'
import { makeStatement } from './ledger/statement.ts'

const filesPerHour = 30
const rowsPerPage = 1000

/** Mounts GET /api/ledger.csv and /api/ledger/statement.json (of one month with ?month=2026-11). */
export function mountLedgerFiles(app: HttpApp): void {
  mountFile(app, '/ledger.csv', 'GET', async (ctx) => {
    await limitRate(ctx.kit.db, `ledger-files:${ctx.who.id}`, { hits: filesPerHour, seconds: hour })
    return send(ctx, 'text/csv; charset=utf-8', { name: 'ledger', ending: 'csv', text: await ledgerCsv(ctx) })
  })
  mountFile(app, '/ledger/statement.json', 'GET', async (ctx, c) => {
    await limitRate(ctx.kit.db, `ledger-files:${ctx.who.id}`, { hits: filesPerHour, seconds: hour })
    const asked = statementMonth.optional().safeParse(c.req.query('month'))
    if (!asked.success) throw refuse('BAD_FILTER')
    const month = asked.data ?? null
    const text = await makeStatement(ctx, { month })
    const name = month === null ? 'ledger-statement' : `ledger-statement-of-${month}-made`
    return send(ctx, 'application/json', { name, ending: 'json', text })
  })
}

type Sent = { name: string; ending: string; text: string }

async function send(ctx: MemberCtx, type: string, { name, ending, text }: Sent) {
  const day = (await databaseNow(ctx)).slice(0, 10)
  return new Response(text, { headers: fileHeaders({ type, name: `evenhand-${name}-${day}.${ending}` }) })
}

/** All of my entries, newest first, with the addresses of their exchanges. */
export async function ledgerCsv(ctx: MemberCtx): Promise<string> {
  const lines = [csvStart, csvRow(['Time (UTC)', 'Reason', 'Product', 'Exchange', 'Change', 'Balance'])]
  let cursor: string | undefined
  do {
    const { items, next } = await listLedger(ctx, { cursor, limit: rowsPerPage })
    lines.push(...items.map((entry) => csvRow(cellsOf(ctx, entry))))
    cursor = next ?? undefined
  } while (cursor)
  return lines.join('')
}

function cellsOf({ config }: MemberCtx, { at, reason, exchange, delta, balance }: LedgerEntry) {
  const screen = exchange?.side === 'mine' ? '/reviews/' : '/reviews/received/'
  const address = exchange ? config.origin + screen + exchange.reviewId : ''
  return [at, ledgerReasons[reason], exchange?.productTitle ?? '', address, delta, balance]
}
