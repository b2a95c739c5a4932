// Confirming an address again after mail to it bounced, over HTTP.
import { describe, expect, test } from 'vitest'
import { addBounce } from '#server/kit/mail/bounces.ts'
import { codeOf, good, useAccounts } from '#server/testing/accounts.ts'

const { club, newBrowser, newMember, newestMail, tokenFor } = useAccounts()

const bounced = async (browser: ReturnType<typeof newBrowser>) =>
  (await browser.get('/api/me')).json?.emailBounced

describe('a member whose address bounced', () => {
  test('learns of it, and confirms the address again with a link that works once', async () => {
    const { browser, email } = await newMember('bounced-one')
    expect(await bounced(browser)).toBe(false)
    await addBounce(club.system, email)
    expect(await bounced(browser)).toBe(true)
    expect((await browser.post('/api/settings/email/confirm-again')).status).toBe(200)
    expect((await newestMail(email))?.subject).toBe('Confirm your email address again')
    const token = await tokenFor(email)
    expect((await browser.post('/api/settings/email/confirm-again')).status).toBe(429)
    // In another browser too: the mailbox is what counts.
    expect((await newBrowser().post('/api/confirm-address', { token })).status).toBe(200)
    expect(await bounced(browser)).toBe(false)
    expect(codeOf(await newBrowser().post('/api/confirm-address', { token }))).toBe('LINK_EXPIRED')
  })

  test('confirms it with a reset as well, because its link proves the mailbox', async () => {
    const { browser, email } = await newMember('bounced-two')
    await addBounce(club.system, email)
    await newBrowser().post('/api/reset-password', { email })
    const token = await tokenFor(email)
    await newBrowser().post('/api/reset-password/confirm', { token, password: `${good} again` })
    await browser.signIn(email, `${good} again`)
    expect(await bounced(browser)).toBe(false)
  })

  test('is the only one who can ask for the link', async () => {
    expect((await newBrowser().post('/api/settings/email/confirm-again')).status).toBe(401)
    const token = 'A'.repeat(43)
    expect(codeOf(await newBrowser().post('/api/confirm-address', { token }))).toBe('LINK_EXPIRED')
  })
})
