// How PostgreSQL reads every list in a club of the load targets, as it chooses by itself.
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { lists, pagesOf, readBy } from '#server/testing/lists.ts'
import type { List } from '#server/testing/lists.ts'
import { largeClub, loadLargeClub } from './load/large-club.ts'
import { workOn } from './matching.ts'
import { quantile } from './measure.ts'
import type { Section } from './report.ts'
import type { MakeDatabase } from './server.ts'

const rounds = 30
/** Of all tables, for a page of fifty: some lists count to ten thousand. */
const mostRows = 12_000

/** Fails where a list reads more rows, which it would do if no index served it. */
export async function measurePlans(make: MakeDatabase): Promise<Section[]> {
  const connection = await make('plans')
  await loadLargeClub(connection)
  const club = await workOn(connection)
  try {
    const rows: Section['rows'] = []
    const faults: string[] = []
    for (const [name, list] of lists) {
      const { times, read } = await readList(club.ctx, club.pool, list)
      const sum = read.reduce((sum, { rows }) => sum + rows, 0)
      if (sum > mostRows) faults.push(`${name} reads ${counted(sum)} rows`)
      const names = new Set(read.flatMap(({ names }) => names))
      rows.push([name, quantile(times, 0.5), quantile(times, 0.99), sum, [...names].join(', ')])
    }
    return [
      {
        title: 'Plans of the lists',
        about:
          `A page of every list, in a club of ${counted(largeClub.members)} members, ` +
          `${counted(largeClub.members * largeClub.productsEach)} products and ` +
          `${counted(largeClub.logEntries)} log entries, by the plans that PostgreSQL chooses itself; ` +
          `${rounds} rounds each, warm, by the functions behind the calls. Goal: no list reads more than ` +
          `${counted(mostRows)} rows of all tables; some count to 10,000. Of what this club has none or ` +
          'few of, such as cases, the plans say little.',
        columns: ['list', 'p50 ms', 'p99 ms', 'rows read', 'read by'],
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
  const id = '00000000-0000-7000-8000-000000000002'
  const me = actAs(ctx, { role: 'admin', id, sessionId: null, twoFactor: true })
  const pages = await pagesOf(me, pool, list)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    // A list about something that is not there has been asked for all the same.
    await list(me).catch(() => {})
    times.push(performance.now() - began)
  }
  return { times, read: await Promise.all(pages.map((page) => readBy(ctx, page))) }
}
