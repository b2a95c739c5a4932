import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { describeSchema, describeTypes } from './describe.ts'

const base = () => ({ ...inject('postgres'), database: 'base' })

test('db/schema.sql is what the migrations make; npm run types writes it', async () => {
  expect(await describeSchema(base())).toBe(await readFile('db/schema.sql', 'utf8'))
})

test('db/types.ts says what the tables are; npm run types writes it', async () => {
  expect(await describeTypes(base())).toBe(await readFile('db/types.ts', 'utf8'))
})
