import { describe, expect, test } from 'vitest'
import {
  canBeUsername,
  displayNameOf,
  initialsOf,
  maskEmail,
  maskEmailInside,
  maskWholeEmail,
} from './accounts.ts'

describe('the name that is shown', () => {
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
  ])('%j may be taken: %j', (username, may) => {
    expect(canBeUsername(username)).toBe(may)
  })
})

describe('an address that is shown to whoever waits for a mail', () => {
  test.each([
    ['nora@mail.example', '••••@mail.example'],
    ['a@mail.example', '••••@mail.example'],
    ['bartholomew.longname@mail.example', '••••••••••••@mail.example'],
    ['no address', '••••'],
  ])('%j has bullets for its local part: %j', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })

  test.each([
    ['nora.lind@mail.example', 'n••••d@mail.example'],
    ['nora@mail.example', 'n••••a@mail.example'],
    ['nor@mail.example', 'n••••@mail.example'],
    ['n@mail.example', 'n••••@mail.example'],
    ['no address', '••••'],
  ])('%j keeps two letters where two addresses are told apart: %j', (email, masked) => {
    expect(maskEmailInside(email)).toBe(masked)
  })

  test.each([
    ['nora@shoplet.example', '****@*******.example'],
    ['a@b.example', '****@****.example'],
    ['nobody', '****'],
  ])('%j has asterisks for local part and domain where a password is set: %j', (email, masked) => {
    expect(maskWholeEmail(email)).toBe(masked)
  })
})
