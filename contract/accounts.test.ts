import { describe, expect, test } from 'vitest'
import { maskEmail, maskEmailInside, maskWholeEmail } from './accounts.ts'

describe('an address shown to a visitor who waits for an email', () => {
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
  ])('%j keeps two letters, which distinguish two addresses at one domain: %j', (email, masked) => {
    expect(maskEmailInside(email)).toBe(masked)
  })

  test.each([
    ['nora@shoplet.example', '****@*******.example'],
    ['a@b.example', '****@****.example'],
    ['no-at-sign', '****'],
  ])(
    '%j has asterisks for the local part and the domain on the page for a new password: %j',
    (email, masked) => {
      expect(maskWholeEmail(email)).toBe(masked)
    },
  )
})
