import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../kit.css'
import { Button } from './button.tsx'
import { Tooltip } from './tooltip.tsx'

const tooltip = () => page.getByRole('tooltip')

test('a tooltip opens with the keyboard, describes its control, and Escape puts it away', async () => {
  await render(
    <Tooltip content="Third in the queue">
      <Button>Get Reviewed</Button>
    </Tooltip>,
  )
  await userEvent.tab()
  await expect.element(tooltip()).toBeVisible()
  await expect.element(page.getByRole('button')).toHaveAccessibleDescription('Third in the queue')
  await userEvent.keyboard('{Escape}')
  await expect.element(tooltip()).not.toBeInTheDocument()
})

test('a tooltip opens under the pointer, stays while the pointer is on it, and leaves with it', async () => {
  await render(
    <div style={{ padding: 80 }}>
      <Tooltip content="Third in the queue" delay={0}>
        <Button>Get Reviewed</Button>
      </Tooltip>
      <p>Elsewhere</p>
    </div>,
  )
  await userEvent.hover(page.getByRole('button'))
  await expect.element(tooltip()).toBeVisible()
  await userEvent.hover(tooltip())
  await expect.element(tooltip()).toBeVisible()
  await userEvent.hover(page.getByText('Elsewhere'))
  await expect.element(tooltip()).not.toBeInTheDocument()
})

test('a tooltip without room above stands below, inside the window', async () => {
  await render(
    <div style={{ position: 'fixed', top: 0, right: 0 }}>
      <Tooltip content="A sentence that is far wider than the button it belongs to">
        <Button>Go</Button>
      </Tooltip>
    </div>,
  )
  await userEvent.tab()
  await expect.element(tooltip()).toBeVisible()
  const words = tooltip().element().getBoundingClientRect()
  const button = page.getByRole('button').element().getBoundingClientRect()
  expect(words.top).toBeGreaterThanOrEqual(button.bottom)
  expect(words.right).toBeLessThanOrEqual(innerWidth)
})
