// A clock that the simulation moves. Three clocks can decide something in the product:
// - PostgreSQL's. The club's database looks for functions in `public` before `pg_catalog`, and `public` has
//   functions with the names of the clocks. They read a setting of the connection. They are there before
//   the migrations run, so that column defaults, views and functions use them too. `current_date` is syntax
//   and cannot be replaced; nothing in the rotation reads it.
// - Node's `Date.now`, which orders ids that are made in one process.
// - The random bytes of nonces, day secrets and audit keys. They follow from the seed, so that a run of the
//   same seed draws the same members.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type pg from 'pg'
import { randomOf } from './random.ts'

const clocks = ['clock_timestamp', 'statement_timestamp', 'transaction_timestamp', 'now']

/** PL/pgSQL, because PostgreSQL would otherwise write the body into every query that it plans. */
const asSchema = (moment: string, volatility: string) =>
  [
    ...clocks.map(
      (name) => `create or replace function public.${name}() returns timestamptz ${volatility} parallel safe
        language plpgsql as $$ begin return ${moment}; end $$;`,
    ),
    `do $$ begin execute format('alter database %I set search_path = public, pg_catalog',
      current_database()); end $$;`,
  ].join('\n')

/** In SQL, for a database that is still empty: its clock is the setting that `Clock` moves. */
export const movedClock = asSchema(
  `coalesce(nullif(current_setting('evenhand.now', true), '')::timestamptz,
    pg_catalog.statement_timestamp())`,
  'stable',
)

/** In SQL, for a database that is still empty: its clock runs so many times as fast as the real one. */
export function fastClock(times: number): string {
  const real = 'pg_catalog.clock_timestamp()'
  const from = `timestamptz '${new Date().toISOString()}'`
  return asSchema(`${from} + (${real} - ${from}) * ${times}`, 'volatile')
}

/** In SQL: stops the clock of such a database where it is now. */
export const stopClock = `do $$ begin execute format('create function public.stopped() returns timestamptz
    immutable language sql as %L', format('select timestamptz %L', public.clock_timestamp())); end $$;
  ${asSchema('public.stopped()', 'volatile')}`

/** The start of every simulation: a Monday. */
const epoch = Date.UTC(2026, 0, 5)

/** Milliseconds since the start of the simulation. */
export type Clock = { now: number; asText(): string; sinceStart(moment: string): number }

export function makeClock(): Clock {
  return {
    now: 0,
    asText() {
      return new Date(epoch + this.now).toISOString()
    },
    sinceStart: (moment) => Date.parse(moment) - epoch,
  }
}

const names = new Map<string, string>()

/** A statement with a name, so that each connection plans it once: planning takes longer than most run. */
function named([query, ...others]: unknown[]): unknown[] {
  const [values] = others
  if (typeof query !== 'string' || !Array.isArray(values) || values.length === 0) return [query, ...others]
  const name = names.get(query) ?? `simulated-${names.size}`
  names.set(query, name)
  return [{ name, text: query, values }, ...others.slice(1)]
}

/** Gives each connection of a pool the time before its next statement, when it has moved. */
export function followClock(pool: pg.Pool, clock: Clock) {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    let known = ''
    function timed(...given: unknown[]) {
      const now = clock.asText()
      const isCurrent = known === now
      // A setting made in a transaction ends with its rollback.
      known = typeof given[0] === 'string' && /^rollback/i.test(given[0]) ? '' : now
      const statement = named(given)
      if (isCurrent) return query(...statement)
      const move = `set evenhand.now = '${now}'`
      if (given[0] === 'begin') return query(`${move}; begin`)
      const moved = query(move) as Promise<unknown>
      // In a transaction that failed, all but its end are refused.
      return moved.catch(() => {}).then(() => query(...statement))
    }
    client.query = timed as typeof client.query
  })
}

/** Runs `work` with this process's time and random bytes taken from the clock and the seed. */
export async function onClock<Result>(
  clock: Clock,
  seed: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const real = { now: Date.now, randomBytes: crypto.randomBytes }
  const random = randomOf(seed, 'bytes')
  Date.now = () => epoch + clock.now
  const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)))
  crypto.randomBytes = bytes as typeof crypto.randomBytes
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    Date.now = real.now
    crypto.randomBytes = real.randomBytes
    syncBuiltinESMExports()
  }
}
