import { paths } from '#web/paths.ts'
import { newContext } from './browsers.ts'
import { expect, test } from './product.ts'

test('without scripts, a visitor’s message is checked, sent to the staff and confirmed by mail', async ({
  browser,
  product,
}) => {
  const context = await newContext(browser, product, { javaScriptEnabled: false })
  const page = await context.newPage()
  const address = `visitor-${Date.now()}@shop.example`
  await page.goto(paths.contact())
  await page.getByLabel('Your name').fill('Mara Lindqvist')
  await page.getByLabel('Email').fill('mara@')
  await page.getByLabel('Message').fill('We are two.\nMay we share an account?')
  await page.getByRole('button', { name: 'Send message' }).click()

  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByText('Please fill in all fields')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Message')).toHaveValue('We are two.\nMay we share an account?')
  await page.getByLabel('Email').fill(address)
  await page.getByLabel('Subject').fill('Two of us')
  await page.getByLabel('Subject').press('Enter')

  await expect(page.getByText('Your message was sent')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send message' })).toHaveCount(0)
  await expect
    .poll(async () => (await (await context.request.get('/dev/mail.json')).text()).includes(address))
    .toBe(true)
  await context.close()
})
