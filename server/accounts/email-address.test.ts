import { describe, expect, test } from 'vitest'
import { mailboxOf, readEmail } from './email-address.ts'

describe('an email address', () => {
  test.each([
    ['A@X.io', 'a@x.io'],
    ['  anna@evenhand.example ', 'anna@evenhand.example'],
    ['a＠x.io', 'a@x.io'],
    ['ａｎｎａ@x.io', 'anna@x.io'],
    ["o'brien+club@mail.example", "o'brien+club@mail.example"],
    ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
  ])('%j is stored as %j', (text, stored) => {
    expect(readEmail(text)).toBe(stored)
  })

  test.each([
    ['anna@x.io', 'anna@x.io'],
    ['anna+club@x.io', 'anna@x.io'],
    ['anna+club+two@x.io', 'anna@x.io'],
    ['+club@x.io', '+club@x.io'],
    ['an.na@x.io', 'an.na@x.io'],
    ['an.na+club@gmail.com', 'anna@gmail.com'],
    ['an.na@googlemail.com', 'anna@gmail.com'],
  ])('%j is of the mailbox %j', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox)
  })

  test.each([
    'a@xn--..',
    'a@x.io\nBcc: z@z.io',
    'a@x.io\r\nBcc: z@z.io',
    '"a b"@x.io',
    'a@x.io,b@x.io',
    'a@x.io;b@x.io',
    'a%40x.io',
    'a%b@x.io',
    'a@b@x.io',
    'ä@x.io',
    'a@-x.io',
    'a@x',
    'a@127.0.0.1',
    'Anna <a@x.io>',
    'a\0@x.io',
    `${'a'.repeat(65)}@x.io`,
    `a@${'x'.repeat(64)}.io`,
    `a@${'x.'.repeat(158)}io`,
    '@x.io',
    '',
  ])('%j is refused', (text) => {
    expect(() => readEmail(text)).toThrow('Please enter a valid email address')
  })
})
