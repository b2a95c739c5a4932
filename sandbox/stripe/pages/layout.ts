import { html } from 'hono/html'

export type Markup = ReturnType<typeof html>

/** A whole page. `back` is where its first link leads. */
export function layout(title: string, body: Markup): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/style.css" />
      </head>
      <body>
        <p class="test" role="note"><strong>Test payment</strong>: no money moves.</p>
        ${body}
      </body>
    </html>`
}

/** A page that says one thing and offers one way on. */
export function message(title: string, text: string, link?: { href: string; label: string }): Markup {
  return layout(
    title,
    html`<main class="single">
      <section class="card">
        <h1>${title}</h1>
        <p>${text}</p>
        ${link ? html`<p><a class="button" href="${link.href}">${link.label}</a></p>` : ''}
      </section>
    </main>`,
  )
}

/** Such as $8.00. */
export function money(cents: number): string {
  return `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`
}

/** Such as Nov 22, 2026, in UTC. */
export function date(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })
}

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

export function brandName(brand: string): string {
  return brands[brand] ?? brand
}
