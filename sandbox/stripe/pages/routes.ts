// The pages that payers see. Plain forms: they work on a phone, by keyboard and without scripts.
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type Stripe from 'stripe'
import { nowFor, type Account, type Challenge } from '../account.ts'
import { answerChallenge, payCheckout, type Payment } from '../checkout.ts'
import { finishSaving, saveCard } from '../portal.ts'
import { payNow } from '../subscriptions.ts'
import { challengePage, checkoutPage, knownEmail, type Entered } from './checkout-page.ts'
import { invoicePage, invoicePdf } from './invoice-page.ts'
import { message, type Markup } from './layout.ts'
import { portalPage, type Notice } from './portal-page.ts'
import { style } from './style.ts'

type Env = { Bindings: HttpBindings }

/** Seconds for which the address of a portal works. */
const portalOpenFor = 3600

export function pageRoutes(account: Account): Hono<Env> {
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    await next()
    account.save()
    c.header(
      'content-security-policy',
      `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
    )
    c.header('referrer-policy', 'no-referrer')
    c.header('cache-control', 'no-store')
  })
  app.get('/assets/style.css', (c) => c.body(style, 200, { 'content-type': 'text/css; charset=utf-8' }))
  checkoutRoutes(app, account)
  portalRoutes(app, account)
  invoiceRoutes(app, account)
  app.notFound((c) => c.html(gone, 404))
  return app
}

const gone = message('This page does not exist', 'The address is wrong, or it belonged to another sandbox.')

function checkoutRoutes(app: Hono<Env>, account: Account) {
  // What was entered and refused, by its session. It holds a card's number, so it is never saved.
  const refused = new Map<string, Entered>()
  app.get('/c/pay/:id', (c) => {
    const session = account.state.checkoutSessions[c.req.param('id')]
    if (!session) return c.html(gone, 404)
    const entered = new URL(c.req.url).search === '?refused' ? refused.get(session.id) : undefined
    return c.html(
      closedPage(account, session) ?? checkoutPage(account, session, entered ?? empty(account, session)),
    )
  })
  app.post('/c/pay/:id', async (c) => {
    const session = account.state.checkoutSessions[c.req.param('id')]
    if (!session) return c.html(gone, 404)
    const form = await c.req.formData()
    // A second press, or one after the back button: it was paid once, and that is where it leads.
    if (session.status === 'complete') return c.redirect(successUrl(session), 303)
    const closed = closedPage(account, session)
    if (closed) return c.html(closed, 410)
    const entered: Entered = {
      email: knownEmail(account, session) ?? textOf(form, 'email'),
      name: textOf(form, 'name'),
      card: textOf(form, 'card'),
      number: textOf(form, 'number'),
      country: textOf(form, 'country').slice(0, 2),
      postalCode: textOf(form, 'postal').slice(0, 16),
    }
    const number = entered.number || (entered.card ?? '')
    const payer = {
      number,
      email: entered.email || null,
      name: entered.name || null,
      address: addressOf(entered),
    }
    return afterPayment(c, session, payCheckout(account, session, payer), entered)
  })
  app.get('/3ds/:token', (c) => {
    const token = c.req.param('token')
    const challenge = account.state.challenges[token]
    if (!challenge) return c.html(gone, 404)
    // The back button leads here again.
    if (challenge.answered) return c.redirect(pathOf(account, challenge), 303)
    return c.html(
      challengePage(token, challenge.of === 'checkout' ? 'this payment' : 'that the card is yours'),
    )
  })
  app.post('/3ds/:token', async (c) => {
    const passed = textOf(await c.req.formData(), 'answer') === 'pass'
    const challenge = account.state.challenges[c.req.param('token')]
    if (!challenge) return c.html(gone, 404)
    if (challenge.answered) return c.redirect(pathOf(account, challenge), 303)
    challenge.answered = true
    if (challenge.of === 'portal') {
      const saved = finishSaving(account, challenge, passed)
      return c.redirect(`${pathOf(account, challenge)}?${saved ? 'saved' : 'unproven'}`, 303)
    }
    const session = account.state.checkoutSessions[challenge.session]
    if (!session) return c.html(gone, 404)
    // It was paid with another card in the meantime.
    if (session.status === 'complete') return c.redirect(successUrl(session), 303)
    const closed = closedPage(account, session)
    if (closed) return c.html(closed, 410)
    return afterPayment(c, session, answerChallenge(account, challenge, passed), empty(account, session))
  })

  function afterPayment(
    c: Context<Env>,
    session: Stripe.Checkout.Session,
    payment: Payment,
    entered: Entered,
  ) {
    refused.delete(session.id)
    if ('paid' in payment) return c.redirect(successUrl(session), 303)
    if ('authenticate' in payment) return c.redirect(`/3ds/${payment.authenticate}`, 303)
    // A page of its own, so that loading it again pays nothing.
    refused.set(session.id, { ...entered, error: payment.declined.message })
    return c.redirect(`/c/pay/${session.id}?refused`, 303)
  }
}

/** The page that the challenge belongs to. */
function pathOf({ state }: Account, { of, session }: Challenge): string {
  return of === 'checkout' ? `/c/pay/${session}` : new URL(state.portalSessions[session]?.url ?? '').pathname
}

function addressOf({ country, postalCode }: Entered): Stripe.Address | null {
  if (!country) return null
  return { city: null, country, line1: null, line2: null, postal_code: postalCode || null, state: null }
}

function empty(account: Account, session: Stripe.Checkout.Session): Entered {
  return { email: knownEmail(account, session) ?? '', name: '', number: '' }
}

function closedPage(account: Account, session: Stripe.Checkout.Session): Markup | undefined {
  if (session.status === 'complete')
    return message('This payment is complete', 'It was paid once, and nothing is left to pay here.', {
      href: successUrl(session),
      label: 'Back to Evenhand',
    })
  const customer = typeof session.customer === 'string' ? account.state.customers[session.customer] : null
  if (session.status === 'expired' || customer?.deleted)
    return message(
      'This payment page has expired',
      'Nothing was charged. Go back and begin again.',
      session.cancel_url === null ? undefined : { href: session.cancel_url, label: 'Back to Evenhand' },
    )
  return undefined
}

function successUrl(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

const notices: Record<string, Notice> = {
  saved: { kind: 'done', text: 'The card is saved. It is charged from now on.' },
  paid: { kind: 'done', text: 'The invoice is paid.' },
  unpaid: { kind: 'error', text: 'The card was declined, so the invoice is still not paid.' },
  unproven: { kind: 'error', text: 'The bank did not confirm the card, so it was not saved.' },
}

function portalRoutes(app: Hono<Env>, account: Account) {
  app.get('/p/session/:token', (c) =>
    show(c, c.req.param('token'), notices[new URL(c.req.url).search.slice(1)]),
  )
  app.post('/p/session/:token/card', async (c) => {
    const form = await c.req.formData()
    const open = openPortal(account, c.req.param('token'))
    if (!open) return show(c, c.req.param('token'), undefined)
    const number = textOf(form, 'number') || textOf(form, 'card')
    const saved = saveCard(account, open.customer, number, open.session.id)
    if ('authenticate' in saved) return c.redirect(`/3ds/${saved.authenticate}`, 303)
    if ('declined' in saved)
      return show(c, c.req.param('token'), { kind: 'error', text: saved.declined.message })
    return c.redirect(`/p/session/${c.req.param('token')}?saved`, 303)
  })
  app.post('/p/session/:token/pay', async (c) => {
    const id = textOf(await c.req.formData(), 'invoice')
    const open = openPortal(account, c.req.param('token'))
    const invoice = account.state.invoices[id]
    if (!open || invoice?.customer !== open.customer.id) return show(c, c.req.param('token'), undefined)
    const at = nowFor(account, open.customer.id)
    const paid = invoice.status === 'paid' || (invoice.status === 'open' && payNow(account, invoice, at))
    return c.redirect(`/p/session/${c.req.param('token')}?${paid ? 'paid' : 'unpaid'}`, 303)
  })

  function show(c: Context<Env>, token: string, notice: Notice | undefined) {
    const open = openPortal(account, token)
    if (!open)
      return c.html(
        message('This link has expired', 'Open the page again from your membership at Evenhand.'),
        404,
      )
    return c.html(portalPage(account, open.session, open.customer, notice))
  }
}

function openPortal(account: Account, token: string) {
  const session = Object.values(account.state.portalSessions).find((each) => each.url.endsWith(`/${token}`))
  const customer = session && account.state.customers[session.customer]
  if (!session || !customer || customer.deleted) return undefined
  return nowFor(account, customer.id) > session.created + portalOpenFor ? undefined : { session, customer }
}

function invoiceRoutes(app: Hono<Env>, account: Account) {
  app.get('/i/:token', (c) => {
    const invoice = findInvoice(c.req.param('token'))
    return invoice ? c.html(invoicePage(invoice)) : c.html(gone, 404)
  })
  app.get('/i/:token/pdf', (c) => {
    const invoice = findInvoice(c.req.param('token'))
    if (!invoice) return c.html(gone, 404)
    return c.body(Uint8Array.from(invoicePdf(invoice)), 200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Invoice-${invoice.number}.pdf"`,
    })
  })

  function findInvoice(token: string) {
    return Object.values(account.state.invoices).find((each) =>
      each.hosted_invoice_url?.endsWith(`/${token}`),
    )
  }
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim().slice(0, 300) : ''
}
