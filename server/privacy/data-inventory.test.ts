import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dataInventory, describeColumn, impersonal } from './data-inventory.ts'
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

describe('the data inventory', () => {
  test('has every column of every table with personal data', () => {
    const missing = [...schema].flatMap(([table, columns]) =>
      impersonal[table]
        ? []
        : columns
            .filter((column) => !dataInventory[table]?.columns[column])
            .map((column) => `${table}.${column}`),
    )
    expect(missing, 'describe them in server/privacy/data-inventory.ts').toEqual([])
  })

  test('has no column or table that the schema does not have, and no table twice', () => {
    const extra = Object.entries(dataInventory).flatMap(([table, { columns }]) =>
      Object.keys(columns)
        .filter((column) => !schema.get(table)?.includes(column))
        .map((column) => `${table}.${column}`),
    )
    expect(extra).toEqual([])
    const both = [...Object.keys(dataInventory), ...Object.keys(impersonal)]
    expect(both.filter((table) => !schema.has(table))).toEqual([])
    expect(new Set(both).size).toBe(both.length)
  })

  test('shows every column in the archive, unless it has a reason to withhold it', () => {
    const hidden = Object.entries(dataInventory).flatMap(([name, table]) => {
      const shown = new Set(table.sections.flatMap((section) => columnsOf(table, section)))
      if (table.sections.length === 0) return []
      return Object.keys(table.columns)
        .filter((column) => !shown.has(column) && !describeColumn(table, column).withheld)
        .map((column) => `${name}.${column}`)
    })
    expect(hidden).toEqual([])
    for (const { sections } of Object.values(dataInventory)) {
      for (const { name } of sections) expect(name).toMatch(/^[a-z][A-Za-z]+$/)
    }
  })

  test('withholds all credentials from the archive', () => {
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
      expect(dataInventory[table] && describeColumn(dataInventory[table], name).withheld, column).toBeTruthy()
    }
  })
})
