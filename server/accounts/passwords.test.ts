import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { countCommonPasswords } from './passwords/common-passwords.ts'
import { asKnown, checkPassword, hashPassword, passwordsRefused, verifyPassword } from './passwords.ts'

const owner = { email: 'anna.lind@evenhand.example', username: 'annalind77' }

function refusalOf(password: string) {
  try {
    checkPassword(password, owner)
    return 'accepted'
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

const atOnce = Math.max(1, Math.floor(availableParallelism() / 2))

describe('a password', () => {
  test.each([
    ['7 chars', 'kX9#mPq', 'PASSWORD_TOO_SHORT'],
    ['7 emoji, although each takes two units', '🦊🐻🐼🦁🐯🐨🐸', 'PASSWORD_TOO_SHORT'],
    ['password', 'password', 'PASSWORD_TOO_COMMON'],
    ['12345678', '12345678', 'PASSWORD_TOO_COMMON'],
    ['qwertyui', 'qwertyui', 'PASSWORD_TOO_COMMON'],
    ['a word with a usual ending', 'Sunshine2024!', 'PASSWORD_TOO_COMMON'],
    ['swapped letters', 'P@ssw0rd123', 'PASSWORD_TOO_COMMON'],
    ['a repeated character', 'aaaaaaaaaaaa', 'PASSWORD_TOO_COMMON'],
    ['a repeated piece', 'abc1abc1abc1', 'PASSWORD_TOO_COMMON'],
    ['a word twice', 'dragondragon', 'PASSWORD_TOO_COMMON'],
    ['the owner’s address', 'Anna.Lind@evenhand.example', 'PASSWORD_IS_YOU'],
    ['the part before the at sign', 'anna.lind', 'PASSWORD_IS_YOU'],
    ['the owner’s username', 'annalind77', 'PASSWORD_IS_YOU'],
    ['a NUL', 'kX9#mPq\0vT2', 'PASSWORD_TOO_COMMON'],
    ['half a character', 'kX9#mPq\ud800vT2', 'PASSWORD_TOO_COMMON'],
    ['257 characters', 'kX9#mPqv'.repeat(32) + 'T', 'PASSWORD_TOO_LONG'],
    ['256 characters', 'kX9#mPqv'.repeat(32), 'accepted'],
    ['256 emoji', '🦊🐻🐼🦁🐯🐨🐸🐙'.repeat(32), 'accepted'],
    ['8 spaces and emoji', ' 🦊 🐻 🐼 🦁', 'accepted'],
    ['a sentence', 'my cat sleeps on keys', 'accepted'],
    ['a common word inside something else', 'violet-dragon-lamp', 'accepted'],
  ])('of %s: %j is %s', (_what, password, outcome) => {
    expect(refusalOf(password)).toBe(outcome)
  })

  test('is compared with at least three thousand common ones', () => {
    expect(countCommonPasswords()).toBeGreaterThan(3000)
  })

  test.each(
    `motorola snickers helloworld Aa123456 midnight maverick sebastian valentina wolverine swordfish
    blink182 bigdaddy stargate scorpion firebird patricia christian alejandra zxcvbnm1 112233445566
    159357159 Summer2024! P@ssw0rd1 Welcome123`.split(/\s+/),
  )('must not be %s, which attackers try first', (password) => {
    expect(refusalOf(password)).toBe('PASSWORD_TOO_COMMON')
  })

  test('is stored as argon2id with 19 MiB, two passes and one lane', async () => {
    expect(await hashPassword('violet-dragon-lamp')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('is compared in its whole length', async () => {
    const long = 'kX9#mPqv'.repeat(32)
    const hash = await hashPassword(long)
    expect(await verifyPassword(hash, long)).toBe(true)
    expect(await verifyPassword(hash, `${long.slice(0, 199)}!${long.slice(200)}`)).toBe(false)
  })

  test('is the same in composed and decomposed spelling', async () => {
    const hash = await hashPassword('Zürich-Straße-9')
    expect(await verifyPassword(hash, 'Zu\u0308rich-Straße-9')).toBe(true)
  })

  test('is compared with no hash that cannot be read', async () => {
    await expect(verifyPassword('no hash', 'violet-dragon-lamp')).rejects.toThrow()
    expect(await verifyPassword(await hashPassword('violet-dragon-lamp'), 'violet-dragon-lamp')).toBe(true)
  })

  test('is hashed on half of the cores; sixteen wait, and the rest are refused immediately', async () => {
    const before = passwordsRefused()
    const outcomes = await Promise.allSettled(
      Array.from({ length: atOnce + 36 }, () => hashPassword('violet-dragon-lamp')),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(20)
    expect(passwordsRefused() - before).toBe(20)
    expect(refused[0]?.reason).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 })
    expect(await hashPassword('violet-dragon-lamp')).toMatch(/^\$argon2id/)
  })

  test('is compared for those the club knows before strangers, who get every fourth turn', async () => {
    const ended: string[] = []
    const hashes = (count: number, isKnown: boolean) =>
      Array.from({ length: count }, () =>
        asKnown(isKnown, async () => {
          await hashPassword('violet-dragon-lamp')
          ended.push(isKnown ? 'member' : 'stranger')
        }),
      )
    const began = [...hashes(atOnce, false), ...hashes(16, false), ...hashes(12, true)]
    await expect(hashes(1, false)[0]).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await Promise.all(began)
    const before = ended.slice(atOnce, ended.lastIndexOf('member')).filter((who) => who === 'stranger')
    expect(before.length).toBeGreaterThanOrEqual(3)
    expect(before.length).toBeLessThanOrEqual(4 + atOnce)
  })
})
