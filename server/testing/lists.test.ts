// Every list is read in the order of an index that ends with its page: no list sorts what it does not show.
// PostgreSQL is asked for its plan with sorting, sequential reads and bitmaps made as dear as can be, so a
// plan that sorts has no index that serves the list, however large the tables are. `npm run bench plans`
// reads the plans that it chooses by itself in a club of full size.
import { expect, test } from 'vitest'
import { useFreshClub } from './club.ts'
import { lists, pagesOf, planOf, sortedWhole } from './lists.ts'

const club = useFreshClub()

test.each(lists)('%s', async (_name, list) => {
  const pages = await pagesOf(await club.as('anna'), club.database.pool, list)
  const plans = await Promise.all(
    pages.map((page) => planOf(club.system, page, ['seqscan', 'bitmapscan', 'sort', 'hashagg'])),
  )
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans) expect(sortedWhole(plan), plan).toBe(false)
})
