import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { catalogue, describeColumn, impersonal } from './data-inventory.ts'
import { columnsOf } from './reads.ts'

const schema = new Map(
  [...readFileSync('db/schema.sql', 'utf8').matchAll(/^create table (\w+) \(\n([\s\S]*?)^\);/gm)].map(
    ([, table = '', body = '']) => [
      table,
      [...body.matchAll(/^ {2}(\w+) /gm)]
        .map(([, column = '']) => column)
        .filter((word) => word !== 'constraint'),
    ],
  ),
)

describe('the catalogue of what the club keeps about a person', () => {
  test('has every column of the schema, or its table says nothing about anybody', () => {
    const missing = [...schema].flatMap(([table, columns]) =>
      impersonal[table]
        ? []
        : columns
            .filter((column) => !catalogue[table]?.columns[column])
            .map((column) => `${table}.${column}`),
    )
    expect(missing, 'say in server/privacy/data-inventory.ts what it is and what becomes of it').toEqual([])
  })

  test('has none that the schema has not, and no table twice', () => {
    const gone = Object.entries(catalogue).flatMap(([table, { columns }]) =>
      Object.keys(columns)
        .filter((column) => !schema.get(table)?.includes(column))
        .map((column) => `${table}.${column}`),
    )
    expect(gone).toEqual([])
    const both = [...Object.keys(catalogue), ...Object.keys(impersonal)]
    expect(both.filter((table) => !schema.has(table))).toEqual([])
    expect(new Set(both).size).toBe(both.length)
  })

  test('shows every column in the archive that it does not withhold for a reason', () => {
    const hidden = Object.entries(catalogue).flatMap(([name, table]) => {
      const shown = new Set(table.sections.flatMap((section) => columnsOf(table, section)))
      if (table.sections.length === 0) return []
      return Object.keys(table.columns)
        .filter((column) => !shown.has(column) && !describeColumn(table, column).withheld)
        .map((column) => `${name}.${column}`)
    })
    expect(hidden).toEqual([])
    for (const { sections } of Object.values(catalogue)) {
      for (const { name } of sections) expect(name).toMatch(/^[a-z][A-Za-z]+$/)
    }
  })

  test('leaves out of the archive whatever signs somebody in', () => {
    for (const column of [
      'sessions.token',
      'login_methods.password',
      'two_factor_secrets.secret',
      'two_factor_secrets.backup_codes',
      'one_time_secrets.hash',
      'data_exports.hash',
      'mails.props',
      'idempotency_keys.answer',
      'reviewer_states.audit_key',
    ]) {
      const [table = '', name = ''] = column.split('.')
      expect(catalogue[table] && describeColumn(catalogue[table], name).withheld, column).toBeTruthy()
    }
  })
})
