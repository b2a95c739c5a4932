import { describe, expect, test } from 'vitest'

import { cast, demoLogins, demoPassword, members, staff } from './cast.ts'

describe('the cast', () => {
  test('is 48 members, one admin and one support', () => {
    expect(members).toHaveLength(48)
    expect(members.every((one) => one.role === 'user')).toBe(true)
    expect(staff.map((one) => `${one.username}: ${one.role}`)).toEqual(['ada: admin', 'sam: support'])
  })

  test('begins with the six people whose standing tests and documents rely on', () => {
    expect(members.slice(0, 6).map((one) => [one.username, one.standing])).toEqual([
      ['anna', 'balanced'],
      ['ben', 'balanced'],
      ['clara', 'owes_one'],
      ['dario', 'on_cooldown'],
      ['elif', 'paused'],
      ['finn', 'new'],
    ])
    expect(members.slice(6).every((one) => one.standing === 'balanced')).toBe(true)
  })

  test('has valid usernames, and no name or address twice', () => {
    for (const one of cast) expect(one.username).toMatch(/^[a-z][a-z0-9_-]{2,19}$/)
    for (const key of ['username', 'fullName', 'email'] as const) {
      expect(new Set(cast.map((one) => one[key])).size).toBe(cast.length)
    }
  })

  test('uses only addresses that can never receive mail', () => {
    for (const one of cast) expect(one.email).toBe(`${one.username}@evenhand.example`)
  })

  test('lives in time zones that exist', () => {
    for (const one of cast) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone: one.timeZone })).not.toThrow()
    }
  })

  test('answers in about the measured shares: 20% keen, 45% regular, 25% casual, 10% quiet', () => {
    const share = (temperament: string) =>
      members.filter((one) => one.temperament === temperament).length / members.length
    for (const [temperament, aim] of [
      ['keen', 0.2],
      ['regular', 0.45],
      ['casual', 0.25],
      ['quiet', 0.1],
    ] as const) {
      expect(Math.abs(share(temperament) - aim), temperament).toBeLessThanOrEqual(0.06)
    }
  })

  test('offers demo logins that are in the cast, with a password long enough for sign-in', () => {
    expect(demoPassword.length).toBeGreaterThanOrEqual(8)
    for (const login of demoLogins) {
      expect(cast.find((one) => one.username === login.username)?.email).toBe(login.email)
    }
  })
})
