import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../kit.css'
import { Button } from './button.tsx'
import { Tooltip } from './tooltip.tsx'

const tooltip = () => page.getByRole('tooltip')

async function openByKeyboard() {
  await render(
    <Tooltip content="Third in the queue">
      <Button>Get Reviewed</Button>
    </Tooltip>,
  )
  await userEvent.tab()
  await expect.element(tooltip()).toBeVisible()
}

test('a tooltip opens on keyboard focus, describes its control and closes on Escape', async () => {
  await openByKeyboard()
  await expect.element(page.getByRole('button')).toHaveAccessibleDescription('Third in the queue')
  await userEvent.keyboard('{Escape}')
  await expect.element(tooltip()).not.toBeInTheDocument()
})

test('Escape closes a tooltip also while the pointer enters it', async () => {
  await openByKeyboard()
  const bubble = tooltip().element()
  const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })
  page.getByRole('button').element().dispatchEvent(escape)
  bubble.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  await expect.element(tooltip()).not.toBeInTheDocument()
})

test('a tooltip opens on hover, stays while the pointer is on it and closes when it leaves', async () => {
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

test('a tooltip that does not fit above is shown below, inside the window', async () => {
  await render(
    <div style={{ position: 'fixed', top: 0, right: 0 }}>
      <Tooltip content="A sentence that is far wider than the button it belongs to">
        <Button>Go</Button>
      </Tooltip>
    </div>,
  )
  await userEvent.tab()
  await expect.element(tooltip()).toBeVisible()
  const bubble = tooltip().element().getBoundingClientRect()
  const button = page.getByRole('button').element().getBoundingClientRect()
  expect(bubble.top).toBeGreaterThanOrEqual(button.bottom)
  expect(bubble.right).toBeLessThanOrEqual(innerWidth)
})
