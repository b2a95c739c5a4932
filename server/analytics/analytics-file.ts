import { analyticsBy } from '#contract/analytics.ts'
import type { AnalyticsBy, AnalyticsPeriod } from '#contract/analytics.ts'
import { csvRow, csvStart } from '#server/kit/csv.ts'
import type { Cell } from '#server/kit/csv.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { onReplica } from '#server/kit/db/replica.ts'
import { fileHeaders, mountFile } from '#server/kit/http/files.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { hour, limitRate } from '#server/kit/http/rate-limit.ts'
import { getAnalytics } from './own.ts'

/** Mounts GET /api/analytics.csv?by=week or month: the table behind the charts, for its member. */
export function mountAnalyticsFile(app: HttpApp): void {
  mountFile(app, '/analytics.csv', 'GET', async (ctx, c) => {
    await limitRate(ctx.kit.db, `analytics-file:${ctx.who.id}`, { hits: 30, seconds: hour })
    const by = analyticsBy.catch('month').parse(c.req.query('by'))
    const { text, day } = await analyticsCsv(ctx, by)
    const name = `evenhand-analytics-by-${by}-${day}.csv`
    return new Response(text, { headers: fileHeaders({ type: 'text/csv; charset=utf-8', name }) })
  })
}

const columns: readonly (readonly [header: string, cell: (period: AnalyticsPeriod) => Cell])[] = [
  ['First day (UTC)', ({ start }) => start],
  ['Given', ({ given }) => given],
  ['Received', ({ received }) => received],
  ['Hours to acceptance', ({ waitHours }) => waitHours],
  ['Hours to verified review', ({ exchangeHours }) => exchangeHours],
  ['On time', ({ onTime }) => onTime],
  ['Due', ({ due }) => due],
  ['Average stars received', ({ stars }) => stars],
  ['Stars received', ({ starsOf }) => starsOf],
  ['Club: given', ({ club }) => club?.given ?? null],
  ['Club: received', ({ club }) => club?.received ?? null],
  ['Club: hours to acceptance', ({ club }) => club?.waitHours ?? null],
  ['Club: hours to verified review', ({ club }) => club?.exchangeHours ?? null],
  ['Club: share on time', ({ club }) => club?.onTimeShare ?? null],
]

/** My figures as CSV, oldest first, with the day of now. A figure that is not there is an empty cell. */
export async function analyticsCsv(ctx: MemberCtx, by: AnalyticsBy): Promise<{ text: string; day: string }> {
  const { periods, serverTime } = await onReplica(ctx, (ctx) => getAnalytics(ctx, { by }))
  const rows = periods.map((period) => csvRow(columns.map(([, cell]) => cell(period))))
  return {
    text: csvStart + csvRow(columns.map(([header]) => header)) + rows.join(''),
    day: serverTime.slice(0, 10),
  }
}
