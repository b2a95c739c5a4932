// What people check a draw with, as files: their own receipts, a pass, and the public list.
import { dayFormat, daysFormat } from '#contract/draw-receipt.ts'
import type { DayFile, DayList } from '#contract/draw-receipt.ts'
import { id } from '#contract/kit.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { isMoment } from '#server/kit/db/db.ts'
import { fileHeaders, mountFile } from '#server/kit/http/files.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { notFound } from '#server/kit/http/http.ts'
import { hour, limitRate } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { getDay, listRecords } from './audit/public-list.ts'
import { getPass, getReceipt } from './audit/receipts.ts'

/** Passes a member may open a day: enough to look for oneself, too few to follow a number of the week. */
const passesPerDay = 12

/** Mounts the receipt of a request or offer of one's own, and a pass to look for oneself in. */
export function mountReceiptFiles(app: HttpApp): void {
  mountFile(app, '/draws/:id/receipt.json', 'GET', async (ctx, c) => {
    await limitRate(ctx.kit.db, `draw-receipts:${ctx.who.id}`, { hits: 120, seconds: hour })
    return send(`receipt-${c.req.param('id')}`, await getReceipt(ctx, idOf(c.req.param('id'))))
  })
  mountFile(app, '/draws/passes/:id', 'GET', async (ctx: MemberCtx, c) => {
    await limitRate(ctx.kit.db, `draw-passes:${ctx.who.id}`, { hits: passesPerDay, seconds: 24 * hour })
    return send('pass', await getPass(ctx, idOf(c.req.param('id'))))
  })
}

function idOf(text: string | undefined): string {
  const read = id.safeParse(text)
  if (!read.success) throw refuse('NOT_FOUND')
  return read.data
}

function send(name: string, value: object) {
  const headers = fileHeaders({ type: 'application/json', name: `evenhand-draw-${name}.json` })
  return new Response(`${JSON.stringify(value)}\n`, { headers })
}

/** Mounts the public list of the days, and each day with its passes. */
export function mountPublicList(app: HttpApp): void {
  app.get('/fairness/draws.json', async (c) => {
    const ctx = c.get('ctx')
    const records = await listRecords(ctx)
    const etag = `"${records.at(-1)?.hash ?? 'empty'}"`
    if (c.req.header('if-none-match') === etag) return c.body(null, 304, { etag })
    const list: DayList = { format: daysFormat, club: ctx.config.origin, records }
    return c.json(list, 200, { etag, 'cache-control': 'public, no-cache' })
  })
  app.get('/fairness/draws/:file{\\d{4}-\\d\\d-\\d\\d\\.json}', async (c) => {
    const ctx = c.get('ctx')
    const day = c.req.param('file').slice(0, 10)
    if (!isMoment(`${day}T00:00:00`)) return notFound(c)
    const { records, passes } = await getDay(ctx, day)
    if (records.length === 0) return notFound(c)
    const file: DayFile = { format: dayFormat, club: ctx.config.origin, day, records, passes }
    const isOver = records.some(({ kind }) => kind === 'revealed')
    // A day that was revealed never changes again.
    const caching = isOver ? 'public, max-age=31536000, immutable' : 'no-cache'
    return c.json(file, 200, { 'cache-control': caching })
  })
}
