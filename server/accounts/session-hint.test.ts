// The hint that a browser has a login session: for scripts to read, without a value, next to the session.
import { describe, expect, test } from 'vitest'
import { useAccounts } from '#server/testing/accounts.ts'

const shell = { bytes: Buffer.from('<!doctype html>'), type: 'text/html; charset=utf-8' }
const { club, edge, newBrowser, newMember } = useAccounts({ build: new Map([['/index.html', shell]]) })
const name = 'evenhand.signed_in'

function hintIn(cookies: string[]) {
  return cookies.filter((cookie) => cookie.startsWith(`${name}=`))
}

describe('the hint of a login session', () => {
  test('comes with a sign-in and goes with a sign-out', async () => {
    const member = await newMember('hinted')
    expect(member.browser.jar.get(name)).toBe('1')
    const browser = newBrowser()
    const opened = await browser.signIn(member.email)
    expect(hintIn(opened.cookies)).toEqual([`${name}=1; Max-Age=2592000; Path=/; SameSite=Lax`])
    const ended = await browser.post('/api/auth/sign-out')
    expect(hintIn(ended.cookies)).toEqual([`${name}=; Max-Age=0; Path=/; SameSite=Lax`])
  })

  test('goes when all devices are signed out', async () => {
    const browser = await edge.signIn('anna')
    await browser.get('/signin')
    expect(hintIn((await browser.post('/api/settings/devices/end-all')).cookies)).toHaveLength(1)
    expect(browser.jar.has(name)).toBe(false)
  })

  test('does not come with a refused sign-in', async () => {
    const refused = await newBrowser().signIn('no-one@mail.example')
    expect(refused.status).toBe(401)
    expect(hintIn(refused.cookies)).toEqual([])
  })

  test('is made by a page for a session that has none, and by no other answer', async () => {
    const browser = await edge.signIn('anna')
    expect(hintIn((await browser.get('/api/me')).cookies)).toEqual([])
    expect(hintIn((await browser.get('/signin')).cookies)).toHaveLength(1)
    expect((await browser.get('/signin')).cookies).toEqual([])
    expect((await edge.visitor().get('/signin')).cookies).toEqual([])
  })

  test('is removed by a page for a browser without a session, and not made for an ended one', async () => {
    const visitor = edge.visitor()
    visitor.jar.set(name, '1')
    expect(hintIn((await visitor.get('/signin')).cookies)).toHaveLength(1)
    expect(visitor.jar.has(name)).toBe(false)
    const session = await edge.signIn('anna')
    await club.database.db.deleteFrom('sessions').execute()
    expect((await session.get('/signin')).cookies).toEqual([])
  })

  test('alone signs no one in', async () => {
    const visitor = edge.visitor()
    visitor.jar.set(name, '1')
    expect((await visitor.get('/api/me')).status).toBe(401)
  })
})
