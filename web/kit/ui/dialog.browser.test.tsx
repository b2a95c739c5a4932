import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../kit.css'
import { KitRoot } from '../kit-root.tsx'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

function Opener({ blocking = false, onClose }: { blocking?: boolean; onClose?: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <KitRoot>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog
        open={open}
        blocking={blocking}
        title="Choose your username"
        onOpenChange={(next) => {
          setOpen(next)
          onClose?.()
        }}
      >
        <Field label="Username">
          <Input />
        </Field>
      </Dialog>
    </KitRoot>
  )
}

test('a dialog focuses its first field, not its close button, and returns the focus', async () => {
  await render(<Opener />)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect.element(page.getByLabelText('Username')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus()
})

test('a blocking dialog cannot be closed with Escape, a press outside or a close button', async () => {
  const closed = vi.fn()
  await render(<Opener blocking onClose={closed} />)
  await page.getByRole('button', { name: 'Open' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose your username' })
  await expect.element(dialog).toBeVisible()
  await expect.element(page.getByLabelText('Username')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(document.body, { position: { x: 4, y: 4 }, force: true })
  await expect.element(dialog).toBeVisible()
  await expect.element(page.getByLabelText('Username')).toHaveFocus()
  await expect.element(page.getByRole('button', { name: 'Close' })).not.toBeInTheDocument()
  await page.getByLabelText('Username').fill('ada')
  await userEvent.tab()
  await expect.element(page.getByLabelText('Username')).toHaveFocus()
  expect(closed).not.toHaveBeenCalled()
})

test('a dialog that is not blocking closes on a press outside', async () => {
  await render(<Opener />)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await userEvent.click(document.body, { position: { x: 4, y: 4 }, force: true })
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('a failed action shows its error in the dialog, which stays open', async () => {
  const action = vi.fn(() => Promise.reject(new Error('You still owe a review.')))
  const opened = vi.fn()
  await render(
    <KitRoot>
      <ConfirmDialog
        open
        onOpenChange={opened}
        title="Pause?"
        description="For 30 days."
        confirmLabel="Pause"
        onConfirm={action}
      />
    </KitRoot>,
  )
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('You still owe a review.')
  expect(opened).not.toHaveBeenCalled()
})

test('a successful action closes the dialog', async () => {
  const opened = vi.fn()
  await render(
    <KitRoot>
      <ConfirmDialog
        open
        onOpenChange={opened}
        title="Delete?"
        description="For good."
        confirmLabel="Delete"
        onConfirm={() => Promise.resolve()}
      />
    </KitRoot>,
  )
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => opened).toHaveBeenCalledWith(false)
})
