// The external database of a product, for what only time or the night does.
import pg from 'pg'
import { expect } from './product.ts'
import type { Product } from './product.ts'

/** Runs one statement in the product's external database. */
export async function query(
  { databaseUrl }: Pick<Product, 'databaseUrl'>,
  text: string,
  values: unknown[] = [],
): Promise<unknown[]> {
  if (databaseUrl === null) throw new Error('This product has its own database.')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Has the worker run this job now, as its schedule does later. Settles once it has run. */
export async function runJob(product: Product, name: string): Promise<void> {
  const [job] = await query(product, 'insert into pgboss.job (name) values ($1) returning id', [name])
  const id = job instanceof Object && 'id' in job ? job.id : null
  await expect
    .poll(() => query(product, 'select state from pgboss.job where id = $1', [id]))
    .toEqual([{ state: 'completed' }])
}

/** Waits until no job of these names is due or running. */
export async function untilDone(product: Product, ...names: string[]): Promise<void> {
  const due = `select name from pgboss.job where name = any($1) and start_after <= now()
    and state in ('created', 'retry', 'active')`
  await expect.poll(() => query(product, due, [names])).toEqual([])
}
