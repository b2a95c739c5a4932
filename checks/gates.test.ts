import { expect, test } from 'vitest'
import { allCalls } from '#server/kit/http/api.ts'
import { router } from '#server/app.ts'

test('every call of the contract is answered by the procedure of its name', () => {
  const calls = Object.entries(allCalls).flatMap(([group, of]) =>
    Object.keys(of).map((name) => `${group}.${name}`),
  )
  const answered = Object.entries(router).flatMap(([group, procedures]) =>
    Object.entries(procedures)
      .filter(([name, { call }]) => call === `${group}.${name}`)
      .map(([, { call }]) => call),
  )
  expect(new Set(answered)).toEqual(new Set(calls))
})
