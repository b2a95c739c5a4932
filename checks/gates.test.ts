import { expect, test } from 'vitest'
import { fileRights } from '#contract/rights.ts'
import { csvFiles } from '#server/admin/csv-files.ts'
import { allCalls } from '#server/kit/http/api.ts'
import { router } from '#server/app.ts'
import { readSources } from './sources.ts'

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

test('every file under /api is mounted through its row in the table of rights', () => {
  const edge = /^server\/(kit\/http|dev|sign-in)\//
  const mounting = /\bapp\.(?:get|post|put|patch|delete|all|on)\((?:'[A-Z]+', )?['"`]\/api/
  const found = readSources(['server'])
    .filter(({ path, text }) => !edge.test(path) && mounting.test(text))
    .map(({ path }) => path)
  expect(found, 'use mountFile').toEqual([])
  const all = readSources(['server'])
    .map(({ text }) => text)
    .join('\n')
  const mounted = Object.keys(fileRights).filter((path) => all.includes(`mountFile(app, '${path}'`))
  const csv = Object.keys(csvFiles).map((name) => `/admin/${name}.csv`)
  expect(new Set([...mounted, ...csv])).toEqual(new Set(Object.keys(fileRights)))
})
