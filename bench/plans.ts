// How PostgreSQL reads every list in a club of the load targets, as it chooses by itself.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { lists, pagesOf, planOf, sortedWhole } from '#server/testing/lists.ts'
import type { List } from '#server/testing/lists.ts'
import { largeClub, loadLargeClub } from './load/large-club.ts'
import { workOn } from './matching.ts'
import { quantile } from './measure.ts'
import type { Section } from './report.ts'
import type { MakeDatabase } from './server.ts'

const rounds = 30
/** Tables that grow with the club. Others have a row or a few. */
const mostRows = 1000

/** Fails where a list sorts what it does not show, or reads a large table from end to end. */
export async function measurePlans(make: MakeDatabase): Promise<Section[]> {
  const connection = await make('plans')
  await loadLargeClub(connection)
  const club = await workOn(connection)
  try {
    const large = await largeTables(club.ctx)
    const rows: Section['rows'] = []
    const faults: string[] = []
    for (const [name, list] of lists) {
      const { times, plans } = await readList(club.ctx, club.pool, list)
      const whole = large.filter((table) => plans.some((plan) => plan.includes(`Seq Scan on ${table} `)))
      if (plans.some(sortedWhole)) faults.push(`${name}: sorts all of its rows`)
      if (whole.length > 0) faults.push(`${name}: reads all of ${whole.join(', ')}`)
      rows.push([name, quantile(times, 0.5), quantile(times, 0.99), readsOf(plans)])
    }
    return [
      {
        title: 'Plans of the lists',
        about:
          `A page from the middle of every list that has one, in a club of ${counted(largeClub.members)} ` +
          `members, ${counted(largeClub.members * largeClub.productsEach)} products and ` +
          `${counted(largeClub.logEntries)} log entries, by the plans that PostgreSQL chooses itself; ` +
          `${rounds} rounds each, warm, by the functions behind the calls. Goal: no list sorts what it ` +
          `does not show, and none reads a table of more than ${counted(mostRows)} rows whole.`,
        columns: ['list', 'p50 ms', 'p99 ms', 'read by'],
        rows,
        notes: faults.map((fault) => `FAILED: ${fault}.`),
        failed: faults.length > 0,
      },
    ]
  } finally {
    await club.close()
  }
}

const counted = (number: number) => number.toLocaleString('en')

async function readList(ctx: Ctx, pool: Parameters<typeof pagesOf>[1], list: List) {
  // A member of the large club with reviews given and received.
  const id = '00000000-0000-7000-8000-000000000001'
  const me = actAs(ctx, { role: 'admin', id, sessionId: null, twoFactor: true })
  const pages = await pagesOf(me, pool, list)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    // A list about something that is not there has been asked for all the same.
    await list(me).catch(() => {})
    times.push(performance.now() - began)
  }
  return { times, plans: await Promise.all(pages.map((page) => planOf(ctx, page))) }
}

async function largeTables({ db }: Ctx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'r' and reltuples > ${mostRows}`.execute(db)
  return rows.map(({ name }) => name)
}

function readsOf(plans: string[]): string {
  const scans = plans.flatMap((plan) => [
    ...plan.matchAll(/(?:(Seq) )?Scan(?: Backward)? (?:using|on) (\w+)/g),
  ])
  return [...new Set(scans.map(([, whole, name = '']) => (whole ? `${name} (whole)` : name)))].join(', ')
}
