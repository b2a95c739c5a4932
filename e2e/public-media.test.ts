// The public pages without scripts, on a small screen and on paper.
import { paths } from '#web/paths.ts'
import { newContext } from './browsers.ts'
import { expect, test } from './product.ts'

test('without scripts, no control is shown that needs one', async ({ browser, product }) => {
  const context = await newContext(browser, product, { javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of [paths.home(), paths.help()]) {
    await page.goto(path)
    await expect(page.getByRole('contentinfo')).toBeVisible()
    await expect(page.locator('.needs-script').filter({ visible: true })).toHaveCount(0)
  }
  await context.close()
})

test('at 400% zoom the header does not cover the page', async ({ browser, product }) => {
  const context = await newContext(browser, product, { viewport: { width: 320, height: 256 } })
  const page = await context.newPage()
  await page.goto(`${paths.articles()}/faq`)
  await page.getByRole('heading', { name: 'Can I pause?' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('banner').first()).not.toBeInViewport()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('banner').first()).toBeInViewport()
  await context.close()
})

test('on paper every answer is open, dark on white, and no button is left', async ({ page, product }) => {
  await page.goto(product.origin + paths.home())
  await page.getByRole('button', { name: 'Dark theme' }).click()
  const answer = page.locator('#faq details .prose').first()
  const ink = () => page.evaluate<string>('getComputedStyle(document.querySelector("#faq .prose")).color')
  const onScreen = await ink()
  await expect(answer).toBeHidden()

  await page.emulateMedia({ media: 'print' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  for (const each of await page.locator('#faq details .prose').all()) await expect(each).toBeVisible()
  await expect(page.getByRole('button', { name: 'Dark theme' })).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Footer' })).toBeHidden()
  expect(await ink()).not.toBe(onScreen)

  await page.emulateMedia({ media: 'screen' })
  await page.evaluate('dispatchEvent(new Event("afterprint"))')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})
