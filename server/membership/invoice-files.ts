// The PDF of an invoice lies at the payment partner. Its address changes, so it is asked for each time.
import type { MemberCtx } from '#server/kit/ctx.ts'
import { isId } from '#server/kit/ctx.ts'
import { mountFile } from '#server/kit/http/files.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { hour, limitRate } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { paymentsOf, whileWaiting } from './partner.ts'
import { invoicePdf } from './stripe.ts'

const opensPerHour = 60

/** Mounts GET /api/billing/invoices/:id/pdf, which leads the invoice's owner to the partner's file. */
export function mountInvoices(app: HttpApp): void {
  mountFile(app, '/billing/invoices/:id/pdf', 'GET', async (ctx, c) => {
    const location = await findPdf(ctx, c.req.param('id') ?? '')
    return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })
  })
}

/** Refuses NOT_FOUND, also without a file, PAYMENTS_CLOSED and PAYMENTS_UNAVAILABLE. */
async function findPdf(ctx: MemberCtx, id: string): Promise<string> {
  if (!isId(id)) throw refuse('NOT_FOUND')
  const invoice = await ctx.db
    .selectFrom('invoices')
    .select('stripeInvoiceId')
    .where('id', '=', id)
    .where('memberId', '=', ctx.who.id)
    .executeTakeFirst()
  if (!invoice) throw refuse('NOT_FOUND')
  const payments = paymentsOf(ctx)
  await limitRate(ctx.kit.db, `invoice-pdf:${ctx.who.id}`, { hits: opensPerHour, seconds: hour })
  const address = await whileWaiting(ctx, invoicePdf(payments, invoice.stripeInvoiceId))
  if (!address) throw refuse('NOT_FOUND')
  return address
}
