import { html } from 'hono/html'
import type Stripe from 'stripe'
import type { Account } from '../account.ts'
import { lineItemsOf } from '../checkout.ts'
import { cardFields } from './card-fields.ts'
import { layout, money, type Markup } from './layout.ts'

/** What was entered before, and why it was refused. */
export type Entered = {
  email: string
  name: string
  card?: string
  number: string
  country?: string
  postalCode?: string
  error?: string
}

export function checkoutPage(account: Account, session: Stripe.Checkout.Session, entered: Entered): Markup {
  const total = money(session.amount_total ?? 0)
  return layout(
    `Pay ${total} · Evenhand`,
    html`<main class="two">
      ${summary(account, session)}
      <section class="card" aria-labelledby="pay-title">
        <h2 id="pay-title">Pay with a card</h2>
        ${entered.error ? html`<p class="error" role="alert">${entered.error}</p>` : ''}
        <form method="post" action="/c/pay/${session.id}">
          <div class="field">
            <label for="email">Email</label>
            <input
              id="email"
              name="email"
              type="email"
              autocomplete="email"
              required
              maxlength="254"
              value="${entered.email}"
              ${knownEmail(account, session) ? 'readonly' : ''}
            />
          </div>
          ${cardFields(entered.card, entered.number, entered.error)}
          <div class="field">
            <label for="name">Name on the card</label>
            <input
              id="name"
              name="name"
              autocomplete="cc-name"
              required
              maxlength="100"
              value="${entered.name}"
            />
          </div>
          ${session.billing_address_collection === 'required' ? addressFields(entered) : ''}
          <button class="button" type="submit">Pay ${total} and subscribe</button>
          <p class="hint">
            By subscribing you allow Evenhand to charge your card ${total} each month until you cancel. This
            page is a sandbox: it imitates the page of Stripe and charges no card.
          </p>
        </form>
      </section>
    </main>`,
  )
}

const countries: Record<string, string> = {
  US: 'United States',
  CA: 'Canada',
  DE: 'Germany',
  FR: 'France',
  GB: 'United Kingdom',
  IN: 'India',
  AU: 'Australia',
}

function addressFields({ country = 'US', postalCode = '' }: Entered): Markup {
  return html`<div class="field">
      <label for="country">Country</label>
      <select id="country" name="country" autocomplete="country" required>
        ${Object.entries(countries).map(
          ([code, name]) =>
            html`<option value="${code}" ${code === country ? 'selected' : ''}>${name}</option>`,
        )}
      </select>
    </div>
    <div class="field">
      <label for="postal">Postal code</label>
      <input
        id="postal"
        name="postal"
        autocomplete="postal-code"
        required
        maxlength="16"
        value="${postalCode}"
      />
    </div>`
}

function summary(account: Account, session: Stripe.Checkout.Session): Markup {
  const [item] = lineItemsOf(account, session).data
  const { subtotal, tax, total } = {
    subtotal: session.amount_subtotal ?? 0,
    tax: session.total_details?.amount_tax ?? 0,
    total: session.amount_total ?? 0,
  }
  const interval = item?.price?.recurring?.interval ?? 'month'
  return html`<section class="summary" aria-labelledby="what">
    ${session.cancel_url ? html`<p><a href="${session.cancel_url}">← Back to Evenhand</a></p>` : ''}
    <h1 id="what">Subscribe to ${item?.description ?? 'a subscription'}</h1>
    <p class="price"><strong>${money(total)}</strong> per ${interval}</p>
    <dl class="lines">
      <div>
        <dt>${item?.description ?? ''}</dt>
        <dd>${money(subtotal)}</dd>
      </div>
      ${
        session.automatic_tax.enabled && account.taxPercent > 0
          ? html`<div>
              <dt>Tax (${account.taxPercent}%)</dt>
              <dd>${money(tax)}</dd>
            </div>`
          : ''
      }
      <div class="total">
        <dt>Total due today</dt>
        <dd>${money(total)}</dd>
      </div>
    </dl>
    <p class="hint">Renews every ${interval} until it is canceled.</p>
  </section>`
}

/** The email of the customer, who cannot enter another one. */
export function knownEmail(account: Account, session: Stripe.Checkout.Session): string | null {
  if (session.customer_email !== null) return session.customer_email
  const customer =
    typeof session.customer === 'string' ? account.state.customers[session.customer] : undefined
  return customer && !customer.deleted ? customer.email : null
}

/** The bank's question of 3-D Secure. */
export function challengePage(token: string, what: string): Markup {
  return layout(
    '3-D Secure · Evenhand',
    html`<main class="single">
      <section class="card">
        <h1>3-D Secure</h1>
        <p>The bank of this test card asks you to confirm ${what}.</p>
        <form method="post" action="/3ds/${token}" class="actions">
          <button class="button" name="answer" value="pass">Complete authentication</button>
          <button class="button quiet" name="answer" value="fail">Fail authentication</button>
        </form>
      </section>
    </main>`,
  )
}
