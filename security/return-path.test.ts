// Where users land after signing in. Whatever a link asks for, they stay on our own origin.
import { describe, expect, test } from 'vitest'
import { origin, useProduct } from './product.ts'

const product = useProduct()

const targets = [
  '//evil.com',
  '/\\evil.com',
  '/\t/evil.com',
  '/%2F%2Fevil.com',
  '/..//evil.com',
  'https:evil.com',
  'https://app.club.example.evil.com/',
  'https://app.club.example@evil.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://app.club.example/x',
  'https://app.club.example:8443/',
  '/signin?returnTo=//evil.com',
  `/${'a'.repeat(5000)}`,
  '',
]
const names = ['returnTo', 'callbackURL', 'errorCallbackURL', 'newUserCallbackURL', 'redirectTo']

/** Whether a redirect or a mailed link stays on our origin. */
function staysHere(target: string | undefined) {
  if (target === undefined) return true
  return new URL(target, origin).origin === origin
}

describe('RD-01: a return target', () => {
  test.each(targets)('%j stays on our origin, plain, encoded or given twice', async (target) => {
    const once = encodeURIComponent(target.replace('\t', '%09'))
    for (const name of names) {
      for (const value of [once, encodeURIComponent(once)]) {
        for (const path of ['/signin', '/auth/callback', '/api/auth/callback/google', '/verify-email']) {
          const answer = await product.visitor().get(`${path}?${name}=${value}&${name}=${value}`)
          expect(answer.status).toBeLessThan(500)
          expect(staysHere(answer.headers.location)).toBe(true)
        }
      }
    }
  })

  test('in a sign-up is kept only as a path of ours', async () => {
    let n = 0
    for (const returnTo of targets) {
      n += 1
      const input = { username: `rd-${n}`, email: `rd-${n}@mail.example`, password: 'six green bottles' }
      const answer = await product.visitor().post('/api/sign-up', { ...input, returnTo })
      if (returnTo.length > 4096) {
        expect(answer.status).toBe(400)
        continue
      }
      expect(answer.status).toBe(200)
      const [letter] = await product.inbox.to(input.email)
      const link = /https:\/\/\S+#token=/.exec(letter?.text ?? '')?.[0] ?? ''
      const kept = new URL(link).searchParams.get('returnTo')
      expect(staysHere(kept ?? undefined), `${returnTo} became ${kept}`).toBe(true)
      expect(kept === null || kept.startsWith('/')).toBe(true)
    }
  })

  test.each([5, true, null, ['/a'], { href: '/a' }])(
    'that is %j instead of text is a bad request',
    async (returnTo) => {
      const input = { username: 'rd-wrong', email: 'rd-wrong@mail.example', password: 'six green bottles' }
      expect((await product.visitor().post('/api/sign-up', { ...input, returnTo })).status).toBe(400)
      expect(
        (
          await product
            .visitor()
            .post('/api/auth/sign-in/social', { provider: 'google', nonce: 'a'.repeat(43), returnTo })
        ).status,
      ).toBeLessThan(500)
    },
  )
})
