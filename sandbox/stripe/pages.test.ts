import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { connect, openCheckout, startSandbox } from './testing.ts'

// The pages as a browser without scripts uses them: links, forms and redirects.
let sandbox: Sandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await startSandbox({ taxPercent: 20 })
  stripe = connect(sandbox)
})
afterAll(() => sandbox.close())

type Page = { status: number; text: string; to: string | null }

async function open(address: string, fields?: Record<string, string>): Promise<Page> {
  const answer = await fetch(new URL(address, sandbox.origin), {
    redirect: 'manual',
    ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
  })
  return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') }
}

/** The page that a form leads to, which a browser can load again without sending the form twice. */
async function afterPosting(address: string, fields: Record<string, string>): Promise<Page> {
  const { status, to } = await open(address, fields)
  expect([status, to]).toEqual([303, expect.any(String)])
  return open(to ?? '')
}

const entered = { email: 'anna@example.com', name: 'Anna <b>', number: '' }
const paying = { ...entered, card: '4242424242424242' }

describe('the Checkout page', () => {
  let customer: string
  let session: Stripe.Checkout.Session
  let url: string
  beforeEach(async () => {
    const opened = await openCheckout(sandbox, { stripe, taxed: true })
    customer = opened.customer.id
    session = opened.session
    url = session.url ?? ''
  })

  async function countSubscriptions() {
    return (await stripe.subscriptions.list({ customer, status: 'all' })).data.length
  }

  test('says that it is a test, what is bought, its tax, and leads back', async () => {
    const { status, text } = await open(url)
    expect(status).toBe(200)
    for (const said of [
      'Test payment',
      'Evenhand membership',
      '$8.00',
      'Tax (20%)',
      '$1.60',
      'Pay $9.60',
      'readonly',
    ])
      expect(text).toContain(said)
    expect(text).toContain(`href="http://localhost:5100/pricing"`)
    expect(text).not.toContain('<script')
  })

  test('leads to the success page, once and again, and says that it is complete', async () => {
    const done = `http://localhost:5100/billing?session=${session.id}`
    const presses = await Promise.all([open(url, paying), open(url, paying)])
    expect(presses.map(({ status, to }) => [status, to])).toEqual([
      [303, done],
      [303, done],
    ])
    expect(await countSubscriptions()).toBe(1)
    expect((await open(url)).text).toContain('This payment is complete')
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1)
  })

  test('says why a card was refused, keeps what was entered, and takes another card', async () => {
    const refused = await afterPosting(url, { ...paying, card: '4000000000000002' })
    expect(refused.status).toBe(200)
    expect(refused.text).toMatch(/role="alert">Your card was declined\./)
    expect(refused.text).toContain('Anna &lt;b&gt;')
    expect((await open(url)).text).not.toContain('role="alert"')
    const real = await afterPosting(url, { ...paying, number: '4111 1111 1111 1111' })
    expect(real.text).toContain('Choose one of the test cards')
    expect((await open(url, { ...paying, number: '5555 5555 5555 4444' })).status).toBe(303)
    const [charge] = (await stripe.charges.list({ customer })).data
    expect(charge?.payment_method_details?.card).toMatchObject({ brand: 'mastercard', last4: '4444' })
  })

  test('asks the bank of a card with 3-D Secure', async () => {
    const secured = { ...paying, card: '4000002500003155' }
    const first = await open(url, secured)
    expect(first.to).toMatch(/^\/3ds\//)
    expect((await open(first.to ?? '')).text).toContain('Complete authentication')
    const failed = await afterPosting(first.to ?? '', { answer: 'fail' })
    expect(failed.text).toContain('unable to authenticate')
    const again = await open(first.to ?? '', { answer: 'pass' })
    expect([again.status, again.to]).toEqual([303, new URL(url).pathname])
    const second = await open(url, secured)
    expect(await open(second.to ?? '', { answer: 'pass' })).toMatchObject({
      status: 303,
      to: expect.stringContaining(session.id),
    })
    expect(await countSubscriptions()).toBe(1)
    expect((await open(second.to ?? '')).to).toBe(new URL(url).pathname)
  })

  test('is not paid twice when the bank answers after another card paid', async () => {
    const { to } = await open(url, { ...paying, card: '4000002500003155' })
    await open(url, paying)
    expect((await open(to ?? '', { answer: 'pass' })).status).toBe(303)
    expect(await countSubscriptions()).toBe(1)
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1)
  })

  test('cannot be paid after it has expired', async () => {
    await stripe.checkout.sessions.expire(session.id)
    expect((await open(url)).text).toContain('has expired')
    expect((await open(url, paying)).status).toBe(410)
    expect(await countSubscriptions()).toBe(0)
  })
})

describe('the portal', () => {
  async function openPortal(number?: string) {
    const { customer, session } = await openCheckout(sandbox, { stripe })
    await sandbox.control.pay(session.id, number === undefined ? {} : { number })
    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'http://localhost:5100/billing',
    })
    return { customer: customer.id, url: portal.url }
  }

  test('shows the card and the invoices, each with a PDF, and leads back', async () => {
    const { url } = await openPortal()
    const { text } = await open(url)
    for (const said of ['Visa ending in 4242', 'Active, renews on', '-0001', 'http://localhost:5100/billing'])
      expect(text).toContain(said)
    expect(text).not.toMatch(/pause<|cancel</i)
    const pdf = await open(/href="([^"]+\/pdf)"/.exec(text)?.[1] ?? '')
    expect(pdf.text).toMatch(/^%PDF-1\.4\n[\s\S]*Evenhand membership[\s\S]*\$8\.00[\s\S]*%%EOF\n$/)
    // The place of the table, from which a reader starts.
    const table = Number(/startxref\n(\d+)/.exec(pdf.text)?.[1])
    expect(pdf.text.slice(table, table + 4)).toBe('xref')
  })

  test('changes the card, and pays what is open with it', async () => {
    const { customer, url } = await openPortal('4000000000000341')
    await sandbox.control.advance(customer, { days: 32 })
    const { url: now } = await stripe.billingPortal.sessions.create({ customer })
    expect((await open(url)).text).toContain('This link has expired')
    const invoice = /name="invoice" value="([^"]+)"/.exec((await open(now)).text)?.[1] ?? ''
    expect((await open(`${now}/pay`, { invoice })).to).toContain('?unpaid')
    expect((await open(`${now}/card`, { card: '4000000000009995', number: '' })).text).toContain(
      'insufficient funds',
    )
    expect((await open(`${now}/card`, { card: '', number: '5555555555554444' })).to).toContain('?saved')
    expect((await open(now)).text).toContain('Mastercard ending in 4444')
    expect((await open(`${now}/pay`, { invoice })).to).toContain('?paid')
    const [subscription] = (
      await stripe.subscriptions.list({ customer, expand: ['data.default_payment_method'] })
    ).data
    expect(subscription).toMatchObject({
      status: 'active',
      default_payment_method: { card: { last4: '4444' } },
    })
  })

  test('saves a card with 3-D Secure only when the bank confirms it', async () => {
    const { url } = await openPortal()
    const card = { card: '4000002500003155', number: '' }
    const first = await open(`${url}/card`, card)
    expect((await open(first.to ?? '', { answer: 'fail' })).to).toContain('?unproven')
    expect((await open(url)).text).toContain('ending in 4242')
    const second = await open(`${url}/card`, card)
    expect((await open(second.to ?? '', { answer: 'pass' })).to).toContain('?saved')
    expect((await open(url)).text).toContain('ending in 3155')
  })
})
