import { expect, test } from 'vitest'
import { mailKinds } from '#contract/mails.ts'
import { mails } from '#server/app.ts'

test('every mail is described in the settings, and nothing else', () => {
  expect(Object.keys(mailKinds).toSorted(), 'add it to contract/mails.ts').toEqual(
    Object.keys(mails).toSorted(),
  )
})
