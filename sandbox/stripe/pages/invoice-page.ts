// A bill: as a page, and as a PDF that is written by hand, object by object.
import { html } from 'hono/html'
import type Stripe from 'stripe'
import { date, layout, money, type Markup } from './layout.ts'

export function invoicePage(invoice: Stripe.Invoice): Markup {
  return layout(
    `Invoice ${invoice.number}`,
    html`<main class="single">
      <section class="card">
        <h1>Invoice ${invoice.number}</h1>
        <p>${date(invoice.created)} · ${invoice.status} · ${invoice.customer_email ?? ''}</p>
        <dl class="lines">
          ${linesOf(invoice).map(
            ([label, amount]) =>
              html`<div>
                <dt>${label}</dt>
                <dd>${amount}</dd>
              </div>`,
          )}
        </dl>
        <p><a class="button" href="${new URL(invoice.invoice_pdf ?? '').pathname}">Download PDF</a></p>
      </section>
    </main>`,
  )
}

function linesOf(invoice: Stripe.Invoice): [string, string][] {
  const tax = (invoice.total_taxes ?? []).reduce((sum, each) => sum + each.amount, 0)
  return [
    ...invoice.lines.data.map((line): [string, string] => [
      `${line.description ?? ''}, ${date(line.period.start)} to ${date(line.period.end)}`,
      money(line.amount),
    ]),
    ...(tax === 0 ? [] : [['Tax', money(tax)] as [string, string]]),
    ['Total', money(invoice.total)],
    ['Paid', money(invoice.amount_paid)],
  ]
}

export function invoicePdf(invoice: Stripe.Invoice): Buffer {
  const texts = [
    write(20, 780, `Invoice ${invoice.number}`),
    write(10, 755, 'TEST PAYMENT: no money moved. Made by a sandbox.'),
    write(11, 725, `From: ${invoice.account_name}`),
    write(11, 709, `To: ${invoice.customer_name ?? ''} ${invoice.customer_email ?? ''}`),
    write(11, 693, `Date: ${date(invoice.created)}   State: ${invoice.status}`),
    ...linesOf(invoice).flatMap(([label, amount], index) => [
      write(11, 655 - index * 20, label),
      write(11, 655 - index * 20, amount, 500),
    ]),
  ]
  const content = texts.join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R ' +
      '/Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
  return assemble(objects)
}

/** The objects with the table of their places, which a reader starts from. */
function assemble(objects: string[]): Buffer {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return String(place).padStart(10, '0')
  })
  const table = file.length
  const rows = ['0000000000 65535 f ', ...places.map((place) => `${place} 00000 n `)]
  file += `xref\n0 ${rows.length}\n${rows.join('\n')}\n`
  file += `trailer\n<< /Size ${rows.length} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

function write(size: number, y: number, text: string, x = 50): string {
  // Only Latin-1 has a place in the font's encoding; one byte is one character, so lengths stay right.
  const plain = text.replaceAll('−', '-').replaceAll(/[^\x20-\x7e\xa1-\xff]/g, '?')
  return `BT /F1 ${size} Tf ${x} ${y} Td (${plain.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj ET`
}
