import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import { describeSchema, describeTypes } from './describe.ts'

const club = useFreshClub()
const base = () => ({ ...inject('postgres'), database: 'base' })

test('db/schema.sql is what the migrations make; npm run types writes it', async () => {
  expect(await describeSchema(base())).toBe(await readFile('db/schema.sql', 'utf8'))
})

test('db/types.ts says what the tables are; npm run types writes it', async () => {
  expect(await describeTypes(base())).toBe(await readFile('db/types.ts', 'utf8'))
})

test('a row that may be deleted is found by an index in every table that refers to it', async () => {
  const { rows } = await sql<{ reference: string; indexed: boolean }>`
    select c.conrelid::regclass || '.' || a.attname as reference, exists (
        select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1] and i.indisvalid
          and (i.indpred is null
            or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname))) as indexed
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = any('{members,images,review_versions}'::regclass[])
    order by 1`.execute(club.database.db)
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter(({ indexed }) => !indexed).map(({ reference }) => reference)).toEqual([])
})
