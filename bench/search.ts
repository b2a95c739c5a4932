// The search of a member in a club of 100,000 products and members: the time in which the server answers, and
// what the database read for it.
import { readConfig } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { actAs, newId, systemCtx } from '#server/kit/ctx.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { find } from '#server/search/find.ts'
import { noteStatements, plansOf } from './lists.ts'
import { quantile } from './measure.ts'
import type { Section } from './report.ts'
import { onDatabase } from './server.ts'
import type { MakeDatabase } from './server.ts'

const products = 100_000
/** Of the member who searches. */
const mine = 200
const rounds = 30

const queries = ['', 'planner', 'palnner', 'wedding budget', 'zzzz', 'wren-4711', 'wren-4171', 'budget zzzz']

export async function measureSearch(makeDatabase: MakeDatabase): Promise<Section[]> {
  const connection = await makeDatabase('search')
  const id = await fill(connection)
  const config = readConfig({ EVENHAND_MODE: 'demo', AUTH_SECRET: 'a-secret-of-the-benchmark-0123456789' })
  const log = openLog('bench', 'warn')
  const { db, pool, close } = openDatabase(connection, { name: 'bench', log })
  const noted = noteStatements(pool)
  const jobs = { send: async () => {}, stop: async () => {} }
  const kit = { db, jobs, files: openFiles(config), reactions: [] }
  const who = { id, role: 'user' as const, sessionId: null, twoFactor: false }
  const ctx = actAs(systemCtx(kit, config, log), who)
  try {
    const rows: Section['rows'] = []
    for (const query of queries) {
      await find(ctx, query)
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now()
        await find(ctx, query)
        times.push(performance.now() - start)
      }
      noted.length = 0
      await find(ctx, query)
      rows.push([
        query || '(empty)',
        quantile(times, 0.5),
        quantile(times, 0.99),
        await plansOf(connection, noted),
      ])
    }
    return [{ title: 'The search', about, columns: ['query', 'p50 ms', 'p99 ms', 'plans'], rows }]
  } finally {
    await close()
  }
}

const about =
  `The whole call for a member with ${mine} products, among ${products.toLocaleString('en')} products ` +
  `and as many members; ${rounds} rounds each, warm. Goal: at most 50 ms. ` +
  'The plans name what each statement read.'

async function fill(connection: PgConnection): Promise<string> {
  const marketplace = newId()
  await onDatabase(connection, async (client) => {
    await client.query('begin; set local session_replication_role = replica')
    await client.query(
      `insert into members (id, email, email_verified, username, created_at)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        'member-' || n || '@mail.example', true,
        (array['wren', 'otter', 'maple', 'quill', 'ember', 'stone', 'river', 'amber'])[1 + n % 8]
          || '-' || n,
        clock_timestamp()
      from generate_series(0, $1::int - 1) n`,
      [products],
    )
    await client.query(
      `insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link)
      select gen_random_uuid(),
        ('00000000-0000-7000-8000-' || lpad(to_hex(case when n < $2 then 0 else n end), 12, '0'))::uuid,
        $3, gen_random_uuid(),
        (array['Planner', 'Wedding budget', 'Poster', 'Icon set'])[1 + n % 4] || ' ' || md5(n::text),
        'tool', 'https://market.example/' || n
      from generate_series(0, $1::int - 1) n`,
      [products, mine, marketplace],
    )
    await client.query('commit')
    await client.query('vacuum (analyze) members, products, reviews, offers')
  })
  return '00000000-0000-7000-8000-000000000000'
}
