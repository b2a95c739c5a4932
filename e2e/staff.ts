// The demo's staff sign in with a password and the code that /dev/staff shows. Each code works once, and the
// next one comes after half a minute, so journeys of the same minutes share a session.
import type { BrowserContext, Page } from '@playwright/test'
import { freshMinutes } from '#contract/accounts.ts'
import { demoPassword } from '#db/seed/cast.ts'
import { expect } from './product.ts'
import type { Product } from './product.ts'

export const sam = 'sam@evenhand.example'
export const ada = 'ada@evenhand.example'

const used = new Set<string>()

/** A code of a member of the staff that no browser here has used yet. */
export async function newCodeOf({ origin }: Pick<Product, 'origin'>, email: string): Promise<string> {
  const until = Date.now() + 120_000
  for (;;) {
    const staff = (await (await fetch(`${origin}/dev/staff.json`)).json()) as {
      email: string
      code: string | null
    }[]
    const code = staff.find((each) => each.email === email)?.code
    if (!code) throw new Error(`${email} has no second factor.`)
    const key = `${origin} ${email} ${code}`
    if (!used.has(key)) {
      used.add(key)
      return code
    }
    if (Date.now() > until) throw new Error(`There was no new code for ${email}.`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

type Session = { cookies: Awaited<ReturnType<BrowserContext['cookies']>>; since: number }
const sessions = new Map<string, Session>()

/**
 * Takes a member of the staff into the staff area by the Admin link, signed in lately enough for any action.
 */
export async function enterStaffArea(page: Page, product: Product, email: string) {
  const key = `${product.origin} ${email}`
  const session = sessions.get(key)
  if (session && Date.now() - session.since < (freshMinutes / 2) * 60_000) {
    await page.context().addCookies(session.cookies)
    await page.goto(`${product.origin}/dashboard`)
  } else {
    await signInWithCode(page, product, email)
    sessions.set(key, { cookies: await page.context().cookies(), since: Date.now() })
  }
  await page.getByRole('link', { name: 'Admin', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
  await expect(page.getByText('Admin Dashboard')).toBeVisible()
}

async function signInWithCode(page: Page, product: Product, email: string) {
  await page.goto(`${product.origin}/signin`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const field = page.getByLabel('6-digit code')
  await expect(field).toBeVisible()
  await field.fill(await newCodeOf(product, email))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}
