// Export and erasure under attack: an archive reaches only its owner, once, and an erasure leaves nothing.
import { beforeEach, describe, expect, test } from 'vitest'
import { until } from '#server/testing/inbox.ts'
import { clearSharedLimits, useProduct } from './product.ts'
import type { Person } from './product.ts'

const product = useProduct()

beforeEach(() => clearSharedLimits(product))

/** A member whose archive is ready, with the secret of its link. */
async function withArchive() {
  const person = await product.join()
  const asked = await person.browser.mustPost('/api/account/export')
  const token = await product.inbox.secretTo(person.email)
  return { person, token, path: `/api/account/export/${String(asked.json?.id)}/download` }
}

describe('an archive', () => {
  test('is given once, to its signed-in owner with the secret, of 20 requests at once', async () => {
    const { person, token, path } = await withArchive()
    const other = await product.join()
    const wrong = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    expect((await product.visitor().post(path, { token })).status).toBe(401)
    expect((await other.browser.post(path, { token })).status).toBe(404)
    expect((await person.browser.post(path, { token: wrong })).status).toBe(404)
    expect((await person.browser.get(path)).status).toBe(404)
    const answers = await Promise.all(Array.from({ length: 20 }, () => person.browser.post(path, { token })))
    const got = answers.filter(({ status }) => status === 200)
    expect(got).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([])
    expect(got[0]?.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(got[0]?.headers['content-disposition']).toMatch(/^attachment; filename="evenhand-[\d-]+\.zip"$/)
    expect((await person.browser.post(path, { token })).status).toBe(404)
  })

  test('expires after 24 hours, and when a newer one is requested', async () => {
    const first = await withArchive()
    await product.db.query(
      `update data_exports set expires_at = expires_at - interval '24 hours 1 minute' where member_id = $1`,
      [first.person.id],
    )
    expect((await first.person.browser.post(first.path, { token: first.token })).status).toBe(404)
    const second = await withArchive()
    await second.person.browser.mustPost('/api/account/export')
    expect((await second.person.browser.post(second.path, { token: second.token })).status).toBe(404)
  })

  test('and the end of an account need a fresh confirmation of identity', async () => {
    const person = await product.join()
    await product.db.query(
      `update sessions set confirmed_at = confirmed_at - interval '11 minutes' where member_id = $1`,
      [person.id],
    )
    for (const [path, body] of [
      ['/api/account/export', {}],
      ['/api/account/erasure', { username: person.username }],
      ['/api/settings/email', { email: 'elsewhere@mail.example' }],
    ] as const) {
      expect((await person.browser.post(path, body)).json).toMatchObject({ code: 'NOT_FRESH' })
    }
  })

  test('is prepared at most twice a day, and a deletion can be tried twice', async () => {
    const person = await product.join()
    const tries = async (path: string, body: object) => {
      const found: number[] = []
      for (const _ of [1, 2, 3]) found.push((await person.browser.post(path, body)).status)
      return found
    }
    expect(await tries('/api/account/export', {})).toEqual([202, 202, 429])
    expect(await tries('/api/account/erasure', { username: 'not-the-name' })).toEqual([400, 400, 429])
  })
})

describe('GD-02: an erased account', () => {
  const erase = ({ browser, username }: Person) => browser.post('/api/account/erasure', { username })

  test('disappears at once, on every device, in every table and in the log', async () => {
    const person = await product.join('gd02-leaver')
    const device = await product.signIn(person)
    const stream = await device.listen()
    await person.browser.send('PATCH', '/api/profile', {
      body: { displayName: 'Leonora Quill', fullName: 'Leonora Quill' },
    })
    await person.browser.mustPost('/api/settings/email', { email: 'gd02-next@mail.example' })
    await person.browser.mustPost('/api/account/export')
    await product.visitor().mustPost('/api/reset-password', { email: person.email })
    const link = await product.inbox.secretTo(person.email)
    const copied = { cookie: person.browser.cookie }

    const answer = await erase(person)
    expect(answer.status).toBe(200)
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"')
    await stream.ended
    expect((await device.get('/api/me')).status).toBe(401)
    expect((await product.visitor().get('/api/me', copied)).status).toBe(401)
    const { email, password } = person
    expect((await product.visitor().post('/api/auth/sign-in/email', { email, password })).status).toBe(401)
    const reset = { token: link, password: 'a wholly new phrase' }
    expect((await product.visitor().post('/api/reset-password/confirm', reset)).status).toBe(400)
    expect((await product.visitor().get('/api/username-exists?username=gd02-leaver')).json).toEqual({
      exists: true,
    })

    // The last mail is deleted once it was sent. The name stays reserved, without its owner.
    const found = () => tablesWith(['gd02-leaver', 'gd02-next', 'leonora', person.email])
    await until(async () => (await found()).length <= 1, 'the last traces to be deleted')
    expect(await found()).toEqual(['public.reserved_usernames'])
    expect(product.log()).not.toMatch(/gd02-leaver|gd02-next|Leonora/i)
  })

  test('has no session left from a sign-in at the same time', async () => {
    const person = await product.join()
    const { email, password } = person
    const browsers = Array.from({ length: 6 }, () => product.visitor())
    const [erased] = await Promise.all([
      erase(person),
      ...browsers.map((browser) => browser.post('/api/auth/sign-in/email', { email, password })),
    ])
    expect(erased?.status).toBe(200)
    const { rowCount } = await product.db.query('select from sessions where member_id = $1', [person.id])
    expect(rowCount).toBe(0)
    for (const browser of browsers) expect((await browser.get('/api/me')).status).toBe(401)
  })
})

describe('leaving to start again', () => {
  test('with the same mailbox gives back the balance that was left', async () => {
    const person = await product.join('debtor')
    await product.db.query(
      `with owed as (update reviewer_states set balance = -1 where member_id = $1)
       insert into ledger_entries (id, member_id, reason, delta)
       values (gen_random_uuid(), $1, 'carried', -1), (gen_random_uuid(), null, 'carried', 1)`,
      [person.id],
    )
    await person.browser.mustPost('/api/account/erasure', { username: person.username })
    expect(await tablesWith([person.id.replaceAll('-', ''), 'debtor@'])).not.toContain('public.debts')

    const browser = product.visitor()
    const again = { username: 'debtor-again', email: 'debtor+again@mail.example', password: person.password }
    await browser.mustPost('/api/sign-up', again)
    await browser.mustPost('/api/verify-email', { token: await product.inbox.secretTo(again.email) })
    expect((await browser.get('/api/balance')).json).toMatchObject({ balance: -1, carried: 1, received: 0 })
    const { rows } = await product.db.query('select sum(delta)::int as sum from ledger_entries')
    expect(rows).toEqual([{ sum: 0 }])
  })
})

/** The tables of the product and of its jobs that contain one of these texts. */
async function tablesWith(texts: string[]) {
  const { rows } = await product.db.query<{ name: string }>(
    `select relnamespace::regnamespace || '.' || quote_ident(relname) as name from pg_class
     where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'pgboss') order by 1`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const hits = await product.db.query(`select from ${name} t where lower(t::text) like any($1) limit 1`, [
      texts.map((text) => `%${text.toLowerCase()}%`),
    ])
    if (hits.rowCount) found.push(name)
  }
  return found
}
