import { describe, expect, test } from 'vitest'
import { strengthOf } from './password-strength.ts'

describe('how hard a password looks to guess', () => {
  test.each([
    ['', 'none'],
    ['kettle', 'weak'],
    ['password1', 'weak'],
    ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
    ['abcdefghijklmnop', 'weak'],
    ['12345678901234567890', 'weak'],
    ['kettlebells', 'weak'],
    ['kettle bells', 'fair'],
    ['Kettle-73', 'fair'],
    ['Kettle-73-sill', 'good'],
    ['kR7!pq-Zw2x', 'good'],
    ['nine kettles on the sill', 'strong'],
    ['чай на окне', 'good'],
  ])('%j is %s', (password, strength) => {
    expect(strengthOf(password)).toBe(strength)
  })

  test('another character never makes it weaker', () => {
    const order = ['none', 'weak', 'fair', 'good', 'strong']
    const password = 'aab!Zq90-kettles on the sill'
    const ranks = [...password].map((_, at) => order.indexOf(strengthOf(password.slice(0, at + 1))))
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  })
})
