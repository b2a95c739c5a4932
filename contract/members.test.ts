import { describe, expect, test } from 'vitest'
import { canBeUsername, displayNameOf, initialsOf } from './members.ts'

describe('the displayed name', () => {
  const everything = {
    username: 'ada',
    displayName: 'Ada L.',
    fullName: 'Ada Lovelace',
    email: 'countess@mail.example',
  }

  test.each([
    ['the username first', everything, 'ada'],
    ['then the display name', { ...everything, username: null }, 'Ada L.'],
    ['then the full name', { ...everything, username: '', displayName: '' }, 'Ada Lovelace'],
    ['then the address before its at sign', { email: 'countess@mail.example' }, 'countess'],
    ['Account when nothing is known', {}, 'Account'],
  ])('is %s', (_, person, name) => {
    expect(displayNameOf(person)).toBe(name)
  })

  test.each([
    ['ada', 'A'],
    ['Ada Lovelace', 'AL'],
    ['ada  king lovelace', 'AK'],
    ['ada-lovelace_x', 'AL'],
    ['émile zola', 'ÉZ'],
    ['', ''],
  ])('%j has the initials %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })
})

describe('a username', () => {
  test.each([
    ['ada', true],
    ['a1_-', true],
    ['a'.repeat(20), true],
    ['ab', 'INVALID_USERNAME'],
    ['a'.repeat(21), 'INVALID_USERNAME'],
    ['1ada', 'INVALID_USERNAME'],
    ['Ada', 'INVALID_USERNAME'],
    ['ada.l', 'INVALID_USERNAME'],
    ['settings', 'USERNAME_TAKEN'],
  ])('%j is allowed as a username: %j', (username, may) => {
    expect(canBeUsername(username)).toBe(may)
  })
})
