// The public pages in a browser: complete without scripts, and every link leads to a page.
import type { Page } from '@playwright/test'
import { paths } from '#web/paths.ts'
import { newContext } from './browsers.ts'
import { expect, test } from './product.ts'
import { openSession } from './screens.ts'
import { sitemapOf } from './sitemap.ts'

const phone = { width: 390, height: 844 }
const nowhere = '/no-such-page'

test('every public page has the same text without scripts', async ({ browser, product }) => {
  const [scripted, plain] = await Promise.all([
    newContext(browser, product),
    newContext(browser, product, { javaScriptEnabled: false }),
  ])
  const [one, other] = await Promise.all([scripted.newPage(), plain.newPage()])
  for (const path of await sitemapOf(product)) {
    // The server may render the page again between the two requests.
    await expect(async () => {
      await Promise.all([one.goto(path), other.goto(path)])
      expect(await linesOf(other), path).toEqual(await linesOf(one))
    }).toPass({ timeout: 180_000 })
    await expect(other.getByRole('link', { name: 'Log in' })).toBeVisible()
  }
  await Promise.all([scripted.close(), plain.close()])
})

test('every link on a public page leads to a page, and every anchor to an element', async ({
  request,
  product,
}) => {
  const texts = new Map<string, string>()
  async function textOf(path: string) {
    if (!texts.has(path)) {
      const answer = await request.get(product.origin + path, { maxRetries: 3 })
      const isThere = answer.status() === (path === nowhere ? 404 : 200)
      texts.set(path, isThere ? await answer.text() : '')
    }
    return texts.get(path) ?? ''
  }
  const dead: string[] = []
  for (const from of [...(await sitemapOf(product)), nowhere]) {
    for (const [, href = ''] of (await textOf(from)).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      const to = new URL(href.replaceAll('&amp;', '&'), product.origin + from)
      if (to.origin !== product.origin) continue
      const text = await textOf(to.pathname)
      const place = decodeURIComponent(to.hash.slice(1))
      if (text === '' || (place && !text.includes(`id="${place}"`))) dead.push(`${from} → ${href}`)
    }
  }
  expect(texts.size).toBeGreaterThan(15)
  expect(dead).toEqual([])
})

test('the header shows who is signed in, and the screens lead back to the front page', async ({
  browser,
  product,
}) => {
  const storageState = await openSession(browser, product.origin, 'elif')
  const context = await newContext(browser, product, { storageState })
  const page = await context.newPage()
  for (const path of [paths.home(), paths.pricing(), paths.help(), nowhere]) {
    await page.goto(path)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Log in' })).toHaveCount(0)
  }
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()

  await page.goto('/dashboard/nothing-here')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL(`${product.origin}/`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('honestly reviewed')

  await context.clearCookies()
  await page.reload()
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL(`${product.origin}${paths.signIn()}`)
  await page.getByRole('link', { name: 'Evenhand, front page' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Join' })).toBeVisible()
  await context.close()
})

test('without scripts, the front page has ten questions, and several can be open at once', async ({
  browser,
  product,
}) => {
  const context = await newContext(browser, product, { javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(paths.faq())
  const questions = page.locator('#faq details')
  await expect(questions).toHaveCount(10)
  await questions.nth(1).locator('summary').click()
  await questions.nth(4).locator('summary').click()
  await expect(page.locator('#faq details[open]')).toHaveCount(2)
  await expect(questions.nth(4).locator('.prose')).toBeVisible()
  await expect(page.locator('#features li h3')).toHaveCount(3)
  await context.close()
})

test('the phone menu works without scripts, and with them closes by Escape or a press outside', async ({
  browser,
  product,
}) => {
  for (const javaScriptEnabled of [false, true]) {
    const context = await newContext(browser, product, { viewport: phone, javaScriptEnabled })
    const page = await context.newPage()
    await page.goto(paths.home())
    const button = page.locator('header summary')
    const menu = page.getByRole('navigation', { name: 'Main, menu' })
    await button.click()
    await expect(menu).toBeVisible()
    if (javaScriptEnabled) {
      await page.keyboard.press('Escape')
      await expect(menu).toBeHidden()
      await expect(button).toBeFocused()
      await button.click()
      await page.mouse.click(phone.width / 2, phone.height - 5)
      await expect(menu).toBeHidden()
      await button.click()
    }
    await menu.getByRole('link', { name: 'Pricing' }).click()
    await expect(page).toHaveURL(`${product.origin}${paths.pricing()}`)
    await context.close()
  }
})

test('a chosen theme stays on the next page, and the system theme can be restored', async ({
  browser,
  product,
}) => {
  const context = await newContext(browser, product, { colorScheme: 'light' })
  const page = await context.newPage()
  const canvas = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  await page.goto(paths.home())
  const light = await canvas()
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await expect.poll(canvas).not.toBe(light)
  const dark = await canvas()
  await page.goto(paths.terms())
  await expect.poll(canvas).toBe(dark)
  await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'System theme' }).click()
  await expect.poll(canvas).toBe(light)
  await context.close()
})

test('the draw on the front page moves once, and not at all where motion is not wanted', async ({
  browser,
  product,
}) => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const context = await newContext(browser, product, { reducedMotion })
    const page = await context.newPage()
    // A page that loads slowly still shows all that would move.
    const devTools = await context.newCDPSession(page)
    await devTools.send('Animation.enable')
    await devTools.send('Animation.setPlaybackRate', { playbackRate: 0 })
    await page.goto(paths.home())
    const moves = `document.getAnimations().flatMap(({ effect }) => {
      const { delay, duration, iterations } = effect.getComputedTiming()
      return duration > 1
        ? [{ ends: delay + duration * iterations, property: Object.keys(effect.getKeyframes()[0]) }]
        : []
    })`
    const moving = await page.evaluate<{ ends: number; property: string[] }[]>(moves)
    expect(moving.length > 10).toBe(reducedMotion === 'no-preference')
    // Nothing that moves by itself goes on for five seconds, or changes the layout.
    expect(moving.filter(({ ends }) => ends > 5000)).toEqual([])
    const changed = new Set(moving.flatMap(({ property }) => property))
    for (const name of ['offset', 'easing', 'composite', 'computedOffset', 'opacity', 'transform'])
      changed.delete(name)
    expect([...changed]).toEqual([])
    // Its end is shown at once without motion.
    await devTools.send('Animation.setPlaybackRate', { playbackRate: 1 })
    await expect(page.locator('.draw-stops')).toHaveCSS('opacity', '1')
    await context.close()
  }
})

/** The text of a page, line by line, without the controls that need scripts. */
async function linesOf(page: Page) {
  await page.locator('main').waitFor()
  const left = await page.locator('.needs-script, noscript').allInnerTexts()
  const hidden = new Set(left.flatMap((text) => text.split('\n')))
  const text = await page.locator('main').innerText()
  return text.split('\n').filter((line) => line.trim() !== '' && !hidden.has(line))
}
