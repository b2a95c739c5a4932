import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { secretForm, withoutSecrets } from './hidden-secrets.ts'

// The same random in every run: what fails once fails again.
fc.configureGlobal({ seed: 1 })

const secrets = [
  'sk_live_51HabcdefghIJK',
  'rk_test_0123456789abcdef',
  'whsec_abcdefgh12345678',
  `ghp_${'a1'.repeat(18)}`,
  'AKIAIOSFODNN7EXAMPLE',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
  'Bearer abcdefghijklmnop1234',
  `#${'aB3_'.repeat(10)}xyz`,
  'Password: hunter22',
  'password="hunter22"',
  'API key = 0123456789',
  '-----BEGIN RSA PRIVATE KEY',
]

test.each(secrets)('%s is removed from a text', (secret) => {
  expect(withoutSecrets(`Look: ${secret} please`)).toBe('Look: [removed] please')
})

test.each([
  'My password is not accepted, and the token in the mail has expired.',
  'Where is order 3041728817? I paid $0.50 with the coupon EVEN.',
  'See https://club.example/reviews/01a202d7-3868-7d67-95da-0123456789ab',
  'The skate_live stream stopped.',
])('“%s” stays as it is', (text) => {
  expect(withoutSecrets(text)).toBe(text)
})

test('nothing that looks like a secret is left, however the pieces stand together', () => {
  const piece = fc.constantFrom(...secrets, 'password:', ' ', '\n', '=', 'token', '"', 'abcdef', '[removed]')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      expect(withoutSecrets(pieces.join(''))).not.toMatch(new RegExp(secretForm))
    }),
    { numRuns: 2000 },
  )
})

test('the invariants look for the same forms', () => {
  const listed = [...readFileSync('db/invariants.sql', 'utf8').matchAll(/^ {2}\('(.*)'\)\)?[,) ]/gm)]
  expect(listed.map(([, form]) => form?.replaceAll("''", "'")).join('|')).toBe(secretForm)
})
