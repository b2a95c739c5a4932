import { describe, expect, test } from 'vitest'
import { maskEmail, maskEmailInside, maskWholeEmail } from './accounts.ts'

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
