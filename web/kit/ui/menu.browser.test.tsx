import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../kit.css'
import { KitRoot } from '../kit-root.tsx'
import { Button } from './button.tsx'
import { Menu } from './menu.tsx'

async function show() {
  const edited = vi.fn()
  const archived = vi.fn()
  await render(
    <KitRoot>
      <Menu
        trigger={<Button>More</Button>}
        items={[
          { label: 'Edit', onSelect: edited },
          { label: 'Archive', onSelect: archived, disabledReason: 'It is in review.' },
          { label: 'Rules', href: '#rules' },
        ]}
      />
      <button type="button">Elsewhere</button>
    </KitRoot>,
  )
  return {
    edited,
    archived,
    button: page.getByRole('button', { name: 'More' }),
    menu: page.getByRole('menu', { name: 'More' }),
  }
}

test('a menu opened by keyboard focuses its first item, and Escape returns the focus', async () => {
  const { button, menu } = await show()
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(menu).toBeVisible()
  await expect.element(button).toHaveAttribute('aria-expanded', 'true')
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(menu).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()
  await expect.element(button).toHaveAttribute('aria-expanded', 'false')
})

test('a press opens the menu, and choosing an item runs its action and closes the menu', async () => {
  const { button, menu, edited } = await show()
  await button.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  expect(edited).toHaveBeenCalledOnce()
  await expect.element(menu).not.toBeInTheDocument()
})

test('a disabled item shows its reason and does nothing', async () => {
  const { button, archived } = await show()
  await button.click()
  const item = page.getByRole('menuitem', { name: /Archive/ })
  await expect.element(item).toHaveTextContent('ArchiveIt is in review.')
  await item.click({ force: true })
  expect(archived).not.toHaveBeenCalled()
})

test('a press on the button of an open menu closes it', async () => {
  const { button, menu } = await show()
  await button.click()
  await expect.element(menu).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(menu).not.toBeInTheDocument()
  await button.click()
  await expect.element(menu).toBeVisible()
})
