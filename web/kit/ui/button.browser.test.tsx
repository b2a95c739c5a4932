import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../kit.css'
import { KitRoot } from '../kit-root.tsx'
import { Button } from './button.tsx'

test('a button with a reason stays focusable, shows the reason and does nothing when pressed', async () => {
  const pressed = vi.fn()
  await render(
    <KitRoot>
      <Button onClick={pressed} disabledReason="Confirm your email first.">
        Get Reviewed
      </Button>
    </KitRoot>,
  )
  const button = page.getByRole('button', { name: 'Get Reviewed' })
  await userEvent.tab()
  await expect.element(button).toHaveFocus()
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button).toHaveAccessibleDescription('Confirm your email first.')
  await userEvent.keyboard('{Enter}')
  expect(pressed).not.toHaveBeenCalled()
  await expect
    .element(page.getByRole('tooltip').filter({ hasText: 'Confirm your email first.' }))
    .toBeVisible()
})

test('a submit button with a reason prevents Enter from submitting the form', async () => {
  const sent = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  await render(
    <KitRoot>
      <form onSubmit={sent}>
        <input aria-label="Name" />
        <Button type="submit" disabledReason="Not yet.">
          Save
        </Button>
      </form>
    </KitRoot>,
  )
  await page.getByLabelText('Name').fill('Ada')
  await userEvent.keyboard('{Enter}')
  expect(sent).not.toHaveBeenCalled()
})

test('a busy button announces it, shows its busy label and ignores a second press', async () => {
  const pressed = vi.fn()
  await render(
    <KitRoot>
      <Button busy busyLabel="Sending..." onClick={pressed}>
        Send
      </Button>
    </KitRoot>,
  )
  const button = page.getByRole('button', { name: 'Sending...' })
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await button.click({ force: true })
  expect(pressed).not.toHaveBeenCalled()
})
