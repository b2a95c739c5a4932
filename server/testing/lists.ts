// Every list of the product, and the plans by which PostgreSQL reads them. The staff's ledger of one member
// is not here: it sums up all of that member's entries. Nor is what one person of the staff has in hand.
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { DB } from '#db/types.ts'
import { listLogs } from '#server/admin/logs.ts'
import { listExchanges } from '#server/admin/exchanges/search.ts'
import { listMemberActivity, listMemberExchanges } from '#server/admin/members/lists.ts'
import { listUsers } from '#server/admin/users.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { listInvoices } from '#server/membership/billing.ts'
import { listFlags } from '#server/moderation/flag-reads.ts'
import { listDecisions, listReports } from '#server/moderation/reads.ts'
import { listCases } from '#server/moderation/staff-reads.ts'
import { listActivity, listNotices } from '#server/notifications/reads.ts'
import { listLiveProducts, listTrendingProducts } from '#server/products/discover.ts'
import { listProductExchanges } from '#server/products/exchanges.ts'
import { listArchivedProducts } from '#server/products/reads.ts'
import { listReviewCards } from '#server/reviews/cards.ts'
import { listLedger } from '#server/reviews/ledger/entries.ts'
import { listReviewsReceived, listReviewsToWrite } from '#server/reviews/reads.ts'
import { listMyMessages } from '#server/support/threads.ts'
import { readMessages } from '#server/support/desk-reads.ts'

const someone = '00000000-0000-7000-8000-000000000001'
const cursor = Buffer.from(`2099-01-01T00:00:00.000000Z ${someone}`).toString('base64url')

export type List = (ctx: MemberCtx) => Promise<unknown>
/** By name. Those that begin with the newest are read from a cursor that nothing is before. */
export const lists: [name: string, list: List][] = [
  ['notices', (ctx) => listNotices(ctx, { cursor })],
  ['activity', (ctx) => listActivity(ctx, { cursor })],
  ['activity of a type', (ctx) => listActivity(ctx, { cursor, type: 'billing' })],
  ['reviews to write', (ctx) => listReviewsToWrite(ctx, { cursor })],
  ['reviews to write, open', (ctx) => listReviewsToWrite(ctx, { cursor, state: 'open' })],
  ['reviews received', (ctx) => listReviewsReceived(ctx, { cursor })],
  ['reviews received, open', (ctx) => listReviewsReceived(ctx, { cursor, state: 'open' })],
  ['ledger', (ctx) => listLedger(ctx, { cursor })],
  ['archived products', (ctx) => listArchivedProducts(ctx, { cursor }, async () => new Map())],
  ['review cards', (ctx) => listReviewCards(ctx, { cursor })],
  ['invoices', (ctx) => listInvoices(ctx, { cursor })],
  ['reports', (ctx) => listReports(ctx, { cursor })],
  ['decisions', (ctx) => listDecisions(ctx, { cursor })],
  ['my messages', (ctx) => listMyMessages(ctx, { cursor })],
  ['exchanges of a product', listExchangesOfSomeProduct],
  ['live products', (ctx) => listLiveProducts(ctx, {})],
  ['live products of a category', (ctx) => listLiveProducts(ctx, { category: 'tool' })],
  ['trending products', (ctx) => listTrendingProducts(ctx, {})],
  ['staff: users', (ctx) => listUsers(ctx, {})],
  ['staff: users by name', (ctx) => listUsers(ctx, { sort: 'name' })],
  ['staff: logs', (ctx) => listLogs(ctx, { cursor })],
  ['staff: logs of an action', (ctx) => listLogs(ctx, { cursor, action: 'user_logged_in' })],
  ['staff: exchanges', (ctx) => listExchanges(ctx, { cursor })],
  ['staff: messages', (ctx) => readMessages(ctx, { cursor })],
  ['staff: cases', (ctx) => listCases(ctx, { cursor })],
  ['staff: decided cases', (ctx) => listCases(ctx, { cursor, tab: 'decided' })],
  ['staff: appeals', (ctx) => listCases(ctx, { cursor, tab: 'appeals' })],
  ['staff: flags', (ctx) => listFlags(ctx, { cursor })],
  ['staff: closed flags', (ctx) => listFlags(ctx, { cursor, state: 'closed' })],
  ['staff: activity of a member', (ctx) => listMemberActivity(ctx, { id: someone, cursor })],
  [
    'staff: exchanges of a member',
    (ctx) => listMemberExchanges(ctx, { id: someone, side: 'seller', cursor }),
  ],
]

async function listExchangesOfSomeProduct(ctx: MemberCtx) {
  const { id, sellerId } = await ctx.db
    .selectFrom('products')
    .select(['id', 'sellerId'])
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  return listProductExchanges({ ...ctx, who: { ...ctx.who, id: sellerId } }, { id, cursor })
}

type Statement = { sql: string; parameters: readonly unknown[] }

/** The statements of a list that end with its page, as an admin reads it. */
export async function pagesOf(ctx: MemberCtx, pool: pg.Pool, list: List): Promise<Statement[]> {
  const noted: Statement[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
    log: ({ query }) => void noted.push(query),
  })
  await list({ ...ctx, db, who: { ...ctx.who, role: 'admin' } }).catch((error: unknown) => {
    // A list about something that is not there has been asked for all the same.
    if (noted.length === 0) throw error
  })
  return noted.filter(({ sql }) => /^\s*(select|with)/.test(sql) && /\blimit\b/.test(sql))
}

/** How PostgreSQL would run a statement, without these ways as far as it can. */
export async function planOf(ctx: Ctx, page: Statement, without: readonly string[] = []): Promise<string> {
  return (await explain<string>(ctx, page, { without })).join('\n')
}

/** A step of a plan that was run. Its figures are of one loop on average. */
type Step = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Step[]
}

/** The rows that PostgreSQL reads for a statement in all of its tables, and from which tables and indexes. */
export async function readBy(ctx: Ctx, page: Statement): Promise<{ rows: number; names: string[] }> {
  const [made] = await explain<{ Plan: Step }[]>(ctx, page, { options: '(analyze, timing off, format json)' })
  const steps = made?.flatMap(({ Plan }) => stepsOf(Plan)) ?? []
  const rows = steps.map((step) => {
    const removed = (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0)
    return step['Relation Name'] ? (step['Actual Rows'] + removed) * step['Actual Loops'] : 0
  })
  return {
    rows: rows.reduce((sum, read) => sum + read, 0),
    names: steps.flatMap((step) =>
      step['Node Type'] === 'Seq Scan'
        ? `${step['Relation Name']} (in order of storage)`
        : (step['Index Name'] ?? []),
    ),
  }
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)]

function explain<Line>(
  { db }: Ctx,
  page: Statement,
  { without = [], options = '' }: { without?: readonly string[]; options?: string },
): Promise<Line[]> {
  return db.transaction().execute(async (tx) => {
    for (const way of without) await sql.raw(`set local enable_${way} = off`).execute(tx)
    const { rows } = await tx.executeQuery<Record<string, Line>>({
      sql: `explain ${options} ${page.sql}`,
      parameters: page.parameters,
      query: sql`select`.compile(tx).query,
      queryId: sql`select`.compile(tx).queryId,
    })
    return rows.flatMap((row) => Object.values(row))
  })
}

/**
 * Whether rows are sorted before the page is cut from them. The page itself may be sorted afterwards, and a
 * lookup that belongs to one row may choose among a few.
 */
export function sortedWhole(plan: string): boolean {
  const above: { depth: number; node: string }[] = []
  return plan.split('\n').some((line) => {
    const [, indent = '', node = ''] = /^(\s*(?:->\s+)?)(\S.*?)\s+\(cost=/.exec(line) ?? []
    if (!node) return false
    while ((above.at(-1)?.depth ?? -1) >= indent.length) above.pop()
    const limits = above.filter((one) => one.node === 'Limit').length
    above.push({ depth: indent.length, node })
    return node === 'Sort' && limits === 1
  })
}
