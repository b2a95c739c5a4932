// What the journeys through the doors share: browsers at addresses of their own, and the codes of an authenticator app.
import { createHmac } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import type { Product } from './product.ts'
import { setOffersAside } from './steps.ts'

/** The proxy's header for the address of a browser. The doors count by it, and a journey is more than one person. */
export const addressHeader = 'x-journey-address'
let addresses = 0

/** A browser of its own, at an address of its own, that knows where the product is. */
export async function openBrowser(browser: Browser, product: Product): Promise<Page> {
  addresses += 1
  const context = await browser.newContext({
    baseURL: product.origin,
    extraHTTPHeaders: { [addressHeader]: `203.0.113.${addresses}` },
  })
  const page = await context.newPage()
  await setOffersAside(page)
  return page
}

/** Calls the product as the page itself would, and reads what it answers. */
export async function call<T>(page: Page, path: string, body: object): Promise<{ status: number; json: T }> {
  const answered = await page.evaluate(
    async ([path, body]) => {
      const answer = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body,
      })
      return { status: answer.status, text: await answer.text() }
    },
    [path, JSON.stringify(body)] as const,
  )
  // The contract's answer, of which each journey names the parts that it goes on with.
  return { status: answered.status, json: JSON.parse(answered.text) as T }
}

/** The code that an authenticator app shows for a secret in base32, by RFC 6238; `later` steps of half a minute from now. */
export function codeOf(secret: string, later = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string): Buffer {
  const bits = [...text.replaceAll('=', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
