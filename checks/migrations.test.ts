import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { effectsOf, provenIn } from '#db/migration-effects.ts'
import { readMigrations, statementsIn } from '#db/migration-files.ts'

/** Migrations of before this rule, which ran while no club had many rows. The list may only shrink. */
const before = readFileSync('checks/migrations-before-the-rule.txt', 'utf8').trim().split('\n')

test('no migration stops others for longer than a second', async () => {
  const files = await readMigrations()
  const proven = new Set(files.flatMap(({ text }) => provenIn(text)))
  const breaches = files.flatMap(({ name, text }) =>
    effectsOf(text, proven)
      .filter(({ trouble }) => trouble !== null)
      .map(({ statement, trouble }) => ({ name, line: `${name}: ${statement.slice(0, 80)}: ${trouble}` })),
  )
  const message = 'docs/decisions/054-migrations.md says how to write it'
  expect(
    breaches.filter(({ name }) => !before.includes(name)).map(({ line }) => line),
    message,
  ).toEqual([])
  const broken = new Set(breaches.map(({ name }) => name))
  expect(
    before.filter((name) => !broken.has(name)),
    'remove them from the list',
  ).toEqual([])
})

const troubleOf = (text: string, proven: string[] = []) =>
  effectsOf(text, new Set(proven)).map(({ trouble }) => trouble !== null)

describe('what holds a lock for long on a table that is there', () => {
  test.each([
    'create index a on products (title)',
    'create unique index a on products (title)',
    'alter table products add column at timestamptz not null default clock_timestamp()',
    'alter table products add column id uuid default gen_random_uuid()',
    'alter table products add column n int generated always as (1) stored',
    'alter table products add column shop_id uuid references shops',
    'alter table products add column a int, add column b int check (b > 0)',
    'alter table products add constraint a check (title <> $$;$$)',
    'alter table products add constraint a foreign key (b) references shops (id)',
    'alter table products add constraint a unique (title)',
    'alter table products alter column title set not null',
    'alter table products alter column title type varchar(9)',
    'alter table products validate constraint a',
    'alter table products rename column title to name',
    'alter table products drop column title',
    'drop table products',
    'update products set title = 1',
    'delete from products',
    'with a as (select 1) update products set title = 1',
    'truncate products',
    'lock table products in exclusive mode',
  ])('%s', (statement) => {
    expect(troubleOf(`-- Why.\n${statement};\n`)).toEqual([true])
  })
})

describe('what does not', () => {
  test.each([
    'create table shelves (a int); create index on_shelves on shelves (a); update shelves set a = 1',
    'alter table products add column a int not null default 0',
    'alter table products add column at timestamptz not null default now()',
    `alter table products add column a text default 'x;y(z)'`,
    'alter table products add constraint a check (title <> 1) not valid',
    'alter table products add constraint a unique using index b',
    'alter table products drop constraint a, alter column title drop not null',
    'update marketplaces set name = 1',
    '-- in steps\ncreate index concurrently a on products (title); ' +
      'update products set title = 1 where id < 9',
    '-- in steps\nalter table products validate constraint a',
    '-- Why.\n-- unused since 0.2\nalter table products drop column title',
    'create function f() returns int language sql as $$ update products set title = 1; select 1 $$',
  ])('%s', (text) => {
    expect(troubleOf(text)).not.toContain(true)
  })

  test('set not null, once a check has proved it', () => {
    const text = `alter table products add constraint a check (title is not null) not valid;
      alter table products validate constraint a;`
    expect(provenIn(text)).toEqual(['products title'])
    expect(troubleOf('alter table products alter column title set not null', provenIn(text))).toEqual([false])
  })
})

test('statements end at their own semicolons', () => {
  const text = `-- One; two.
    insert into a values ('it''s; "fine"', "b;c"); /* ; */
    create function f() returns int language plpgsql as $body$ begin return 1; end $body$;
    select 1 -- three;`
  expect(statementsIn(text).map((each) => each.slice(0, 15))).toEqual([
    'insert into a v',
    'create function',
    'select 1',
  ])
})
