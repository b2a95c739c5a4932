import { html } from 'hono/html'
import type Stripe from 'stripe'
import type { Account } from '../account.ts'
import { itemOf } from '../objects/subscription.ts'
import { cardOnFile, subscriptionsOf } from '../portal.ts'
import { invoicesOf, nameOf } from '../subscriptions.ts'
import { cardFields } from './card-fields.ts'
import { brandName, date, layout, money, type Markup } from './layout.ts'

export type Notice = { kind: 'done' | 'error'; text: string }

export function portalPage(
  account: Account,
  session: Stripe.BillingPortal.Session,
  customer: Stripe.Customer,
  notice: Notice | undefined,
): Markup {
  const subscriptions = subscriptionsOf(account, customer)
  const invoices = subscriptions.flatMap((each) => invoicesOf(account, each)).toReversed()
  const path = new URL(session.url).pathname
  return layout(
    'Cards and invoices · Evenhand',
    html`<main class="single">
      ${session.return_url ? html`<p><a href="${session.return_url}">← Back to Evenhand</a></p>` : ''}
      <h1>Cards and invoices</h1>
      ${notice?.kind === 'done' ? html`<p class="done" role="status">${notice.text}</p>` : ''}
      ${notice?.kind === 'error' ? html`<p class="error" role="alert">${notice.text}</p>` : ''}
      ${invoices.filter(({ status }) => status === 'open').map((each) => openInvoice(path, each))}
      ${subscriptions.map((each) => subscriptionCard(account, each))}
      <section class="card" aria-labelledby="card-title">
        <h2 id="card-title">Card</h2>
        <p>${cardText(cardOnFile(account, customer))}</p>
        <form method="post" action="${path}/card">
          ${cardFields(undefined, '', notice?.kind === 'error' ? notice.text : undefined)}
          <button class="button" type="submit">Save card</button>
        </form>
      </section>
      <section class="card" aria-labelledby="invoices-title">
        <h2 id="invoices-title">Invoices</h2>
        ${invoices.length === 0 ? html`<p>There are no invoices yet.</p>` : invoiceTable(invoices)}
      </section>
      <p class="hint">You pause and cancel your membership at Evenhand, not here.</p>
    </main>`,
  )
}

function openInvoice(path: string, invoice: Stripe.Invoice): Markup {
  return html`<section class="card due" aria-labelledby="due-${invoice.id}">
    <h2 id="due-${invoice.id}">${money(invoice.amount_remaining)} is not paid</h2>
    <p>
      The payment of invoice ${invoice.number}
      failed.${
        invoice.next_payment_attempt
          ? ` It is tried again on ${date(invoice.next_payment_attempt)}.`
          : ' It is not tried again by itself.'
      }
    </p>
    <form method="post" action="${path}/pay">
      <button class="button" name="invoice" value="${invoice.id}">
        Pay ${money(invoice.amount_remaining)} now
      </button>
    </form>
  </section>`
}

const states: Record<string, string> = {
  active: 'Active',
  past_due: 'Payment failed',
  paused: 'Paused',
  canceled: 'Ended',
}

function subscriptionCard(account: Account, subscription: Stripe.Subscription): Markup {
  const { price, current_period_end: end } = itemOf(subscription)
  const state = states[subscription.status] ?? subscription.status
  const until =
    subscription.ended_at !== null
      ? `ended on ${date(subscription.ended_at)}`
      : subscription.cancel_at_period_end
        ? `ends on ${date(end)}`
        : subscription.status === 'active'
          ? `renews on ${date(end)}`
          : ''
  return html`<section class="card" aria-label="Subscription">
    <h2>${nameOf(account, price)}</h2>
    <p>
      ${money(price.unit_amount ?? 0)} per ${price.recurring?.interval ?? 'month'} ·
      ${state}${until ? `, ${until}` : ''}
    </p>
  </section>`
}

function cardText(paymentMethod: Stripe.PaymentMethod | undefined): string {
  const card = paymentMethod?.card
  if (!card) return 'No card is saved.'
  return `${brandName(card.brand)} ending in ${card.last4}, valid until ${card.exp_month}/${card.exp_year}`
}

function pdfLink(address: string, number: string | null): Markup {
  const name = html`PDF<span class="unseen"> of ${number}</span>`
  return html`<a href="${new URL(address).pathname}">${name}</a>`
}

function invoiceTable(invoices: Stripe.Invoice[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="invoices-title">
    <table>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Amount</th>
          <th scope="col">State</th>
          <th scope="col">File</th>
        </tr>
      </thead>
      <tbody>
        ${invoices.map(
          (each) =>
            html`<tr>
              <td>${date(each.created)}<br /><span class="number">${each.number ?? ''}</span></td>
              <td>${money(each.total)}</td>
              <td>${each.status}</td>
              <td>${each.invoice_pdf ? pdfLink(each.invoice_pdf, each.number) : ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
