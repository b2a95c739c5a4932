import { expect, test } from 'vitest'
import { base32, isTotp, newTotpSecret, totpAddress, totpOf } from './totp.ts'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code is the one of RFC 6238', (seconds, code) => {
  expect(totpOf('12345678901234567890', Math.floor(seconds / 30))).toBe(code)
})

test('a code works half a minute early and late, not longer', () => {
  const at = 1_700_000_010_000
  const secret = newTotpSecret()
  const code = totpOf(secret, Math.floor(at / 30_000))
  expect([-60, -30, 0, 30, 60].map((by) => isTotp(secret, code, at + by * 1000))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
  for (const other of ['', '12345', `${code}0`, 'abcdef']) expect(isTotp(secret, other, at)).toBe(false)
})

test('an app gets the secret in Base32, with its account', () => {
  expect(base32('12345678901234567890')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(totpAddress('12345678901234567890', 'anna+x@mail.example')).toBe(
    'otpauth://totp/Evenhand:anna%2Bx%40mail.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
      '&issuer=Evenhand&digits=6&period=30',
  )
})
