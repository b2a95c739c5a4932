// The second factor under attack: nothing bypasses it, no code works twice, and no confirmation outlives its
// purpose.
import { beforeEach, describe, expect, test } from 'vitest'
import { appCode } from '#server/testing/authenticator.ts'
import { clearSharedLimits, useProduct } from './product.ts'
import type { Browser } from '#server/testing/browser.ts'

const product = useProduct()

beforeEach(() => clearSharedLimits(product))

/** A new member with an authenticator app; `code` gives its next code. */
async function joinWithApp() {
  const person = await product.join()
  const started = await person.browser.mustPost('/api/settings/two-factor/start')
  const secret = String(started.json?.secret)
  const first = appCode(secret)
  const done = await person.browser.send('POST', '/api/settings/two-factor/finish', {
    body: { code: first },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  expect(done.status).toBe(200)
  // The contract defines this answer.
  const recoveryCodes = done.json?.recoveryCodes as string[]
  return { ...person, secret, first, code: () => appCode(secret, 1), recoveryCodes }
}

async function begin(person: { email: string; password: string }) {
  const browser = product.visitor()
  const answer = await browser.mustPost('/api/auth/sign-in/email', {
    email: person.email,
    password: person.password,
  })
  expect(answer.json).toEqual({ ok: true, twoFactor: true })
  return browser
}

const verify = (browser: Browser, code: string | undefined, kind = 'totp') =>
  browser.post(`/api/auth/two-factor/verify-${kind}`, { code })
const isIn = async (browser: Browser) => (await browser.get('/api/me')).status === 200

describe('nothing bypasses it', () => {
  test('not the password alone', async () => {
    const browser = await begin(await joinWithApp())
    expect(await isIn(browser)).toBe(false)
    for (const path of ['/api/settings/two-factor/stop', '/api/settings/devices/end-all'])
      expect((await browser.post(path)).status).toBe(401)
  })

  test('not a link for a new password', async () => {
    const person = await joinWithApp()
    const browser = product.visitor()
    await browser.mustPost('/api/reset-password', { email: person.email })
    const token = await product.inbox.secretTo(person.email)
    await browser.mustPost('/api/reset-password/confirm', { token, password: 'a wholly new phrase' })
    expect(await isIn(browser)).toBe(false)
    await begin({ email: person.email, password: 'a wholly new phrase' })
  })

  test('not the confirmation of identity, which needs a code as well', async () => {
    const person = await joinWithApp()
    await product.db.query(
      `update sessions set confirmed_at = confirmed_at - interval '11 minutes' where member_id = $1`,
      [person.id],
    )
    const confirm = (code?: string) =>
      person.browser.post('/api/settings/confirm-identity', { password: person.password, code })
    expect((await confirm()).json).toMatchObject({ code: 'WRONG_CODE' })
    expect((await person.browser.post('/api/settings/two-factor/stop')).json).toMatchObject({
      code: 'NOT_FRESH',
    })
    expect((await confirm(person.code())).status).toBe(200)
  })

  test('not another member’s code or sign-in', async () => {
    const [one, other] = [await joinWithApp(), await joinWithApp()]
    const browser = await begin(one)
    expect((await verify(browser, other.code())).json).toMatchObject({ code: 'WRONG_CODE' })
    expect(await isIn(browser)).toBe(false)
    expect((await verify(product.visitor(), one.code())).status).toBe(401)
  })
})

describe('a code', () => {
  test('works once, in however many browsers at once', async () => {
    const person = await joinWithApp()
    const browsers = await Promise.all([1, 2, 3, 4].map(() => begin(person)))
    const code = person.code()
    const answers = await Promise.all(browsers.map((browser) => verify(browser, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const inside = await Promise.all(browsers.map(isIn))
    expect(inside.filter(Boolean)).toHaveLength(1)
  })

  test('of the set-up cannot be used again', async () => {
    const person = await joinWithApp()
    const browser = await begin(person)
    await clearSharedLimits(product)
    const answer = await verify(browser, person.first)
    expect(answer.json).toMatchObject({ code: 'WRONG_CODE' })
    expect(await isIn(browser)).toBe(false)
  })

  test('for recovery works once, of 8 at once', async () => {
    const person = await joinWithApp()
    const browsers = await Promise.all([1, 2, 3, 4].map(() => begin(person)))
    await clearSharedLimits(product)
    await product.db.query(`delete from rate_counters where key like 'code:%'`)
    const answers = await Promise.all(
      browsers.flatMap((browser) =>
        [1, 2].map(() => verify(browser, person.recoveryCodes[0], 'backup-code')),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const again = await begin(person)
    expect((await verify(again, person.recoveryCodes[0], 'backup-code')).status).toBe(400)
  })

  test('and its secret are stored nowhere in plain text', async () => {
    const person = await joinWithApp()
    const { rows } = await product.db.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    const secrets = [person.secret, ...person.recoveryCodes]
    for (const { name } of rows) {
      const kept = await product.db.query<{ text: string | null }>(
        `select string_agg(t::text, ' ') as text from ${name} t`,
      )
      for (const secret of secrets) expect(kept.rows[0]?.text ?? '', name).not.toContain(secret)
    }
    for (const secret of secrets) expect(product.log()).not.toContain(secret)
  })
})

describe('a sign-in that waits for its code', () => {
  test('ends when its password is changed', async () => {
    const person = await joinWithApp()
    const begun = await begin(person)
    await product.visitor().mustPost('/api/reset-password', { email: person.email })
    const token = await product.inbox.secretTo(person.email)
    await product
      .visitor()
      .mustPost('/api/reset-password/confirm', { token, password: 'a wholly new phrase' })
    expect((await verify(begun, person.code())).json).toMatchObject({ code: 'INVALID_CREDENTIALS' })
    expect(await isIn(begun)).toBe(false)
    const again = await begin({ email: person.email, password: 'a wholly new phrase' })
    expect((await verify(again, person.code())).status).toBe(200)
  })
})
