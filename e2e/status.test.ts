// The page that says how the club is. Its name puts it near the end of the journeys, so that the first minute
// of the product is over by then.
import { paths } from '#web/paths.ts'
import { expect, test } from './product.ts'

test('the status page shows real measurements', async ({ page, product }) => {
  // Each part is measured once a minute, and the page is rendered again every fifteen seconds.
  await expect(async () => {
    await page.goto(product.origin + paths.status())
    expect(await page.getByText('Everything is working').count()).toBe(1)
  }).toPass({ intervals: [1000], timeout: 600_000 })
  await expect(page.getByRole('listitem').filter({ hasText: 'Background jobs' })).toContainText('Working')
})
