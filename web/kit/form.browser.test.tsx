import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { z } from 'zod'
import { Form, FormRefusal, SubmitButton } from './form.tsx'
import './kit.css'
import { KitRoot } from './kit-root.tsx'
import { Checkbox } from './ui/checkbox.tsx'
import { Field } from './ui/field.tsx'
import { Input } from './ui/input.tsx'
import { PasswordInput } from './ui/password-input.tsx'
import { Select } from './ui/select.tsx'

const schema = z
  .object({
    username: z.string().min(3, 'Too short'),
    password: z.string().min(8, 'Use at least 8 characters.'),
    again: z.string(),
    reason: z
      .enum(['busy', 'other'], 'Please choose a reason')
      .nullable()
      .pipe(z.enum(['busy', 'other'], 'Please choose a reason')),
    agree: z.boolean().refine((agreed) => agreed, 'Please agree'),
  })
  .refine(({ password, again }) => password === again, { path: ['again'], message: "Passwords don't match" })

type Sent = z.output<typeof schema>

async function show(onSubmit: (values: Sent) => Promise<unknown> | void) {
  await render(
    <KitRoot>
      <Form
        label="Sign up"
        schema={schema}
        defaultValues={{ username: '', password: '', again: '', reason: 'busy', agree: true }}
        onSubmit={onSubmit}
      >
        <Field name="username" label="Username">
          <Input />
        </Field>
        <Field name="password" label="Password">
          <PasswordInput />
        </Field>
        <Field name="again" label="Confirm password">
          <PasswordInput />
        </Field>
        <Field name="reason" label="Reason">
          <Select
            options={[
              { value: 'busy', label: 'Busy right now' },
              { value: 'other', label: 'Other' },
            ]}
          />
        </Field>
        <Checkbox name="agree" label="I agree" />
        <SubmitButton busyLabel="Saving...">Save</SubmitButton>
      </Form>
    </KitRoot>,
  )
  return {
    username: page.getByLabelText('Username'),
    password: page.getByLabelText('Password', { exact: true }),
    again: page.getByLabelText('Confirm password'),
    save: page.getByRole('button', { name: /Save|Saving/ }),
  }
}

async function fill(fields: Awaited<ReturnType<typeof show>>) {
  await fields.username.fill('ada')
  await fields.password.fill('correct horse')
  await fields.again.fill('correct horse')
}

test('a submit with wrong values shows an error at each field and focuses the first', async () => {
  const sent = vi.fn()
  const { username, password, save } = await show(sent)
  await username.fill('ada')
  await password.fill('short')
  await save.click()
  await expect.element(password).toHaveFocus()
  await expect.element(password).toHaveAccessibleDescription('Use at least 8 characters.')
  await expect.element(password).toHaveAttribute('aria-invalid', 'true')
  await expect.element(username).not.toHaveAttribute('aria-invalid', 'true')
  expect(sent).not.toHaveBeenCalled()
})

test('an error disappears once its value is right, and no new one appears while typing', async () => {
  const { username, password, save } = await show(vi.fn())
  await save.click()
  await expect.element(page.getByText('Too short')).toBeVisible()
  await username.fill('ada')
  await expect.element(page.getByText('Too short')).not.toBeInTheDocument()
  await expect.element(page.getByText('Use at least 8 characters.')).toBeVisible()
  await password.fill('correct horse')
  await expect.element(page.getByText('Use at least 8 characters.')).not.toBeInTheDocument()
  await expect.element(page.getByText("Passwords don't match")).not.toBeInTheDocument()
})

test('Enter submits once, and the button is busy until the answer', async () => {
  const answered = Promise.withResolvers<void>()
  const sent = vi.fn(() => answered.promise)
  const fields = await show(sent)
  await fill(fields)
  await userEvent.keyboard('{Enter}')
  await expect.element(fields.save).toHaveTextContent('Saving...')
  await userEvent.keyboard('{Enter}')
  answered.resolve()
  await expect.element(fields.save).toHaveTextContent('Save')
  expect(sent).toHaveBeenCalledTimes(1)
  expect(sent).toHaveBeenCalledWith(
    { username: 'ada', password: 'correct horse', again: 'correct horse', reason: 'busy', agree: true },
    expect.anything(),
  )
})

test("the server's refusal is shown at its field, which gets the focus; the values stay", async () => {
  const fields = await show(() =>
    Promise.reject(
      Object.assign(new Error('That username is already taken'), {
        status: 409,
        data: { field: 'username' },
      }),
    ),
  )
  await fill(fields)
  await fields.save.click()
  await expect.element(fields.username).toHaveFocus()
  await expect.element(fields.username).toHaveAccessibleDescription('That username is already taken')
  await expect.element(fields.password).toHaveValue('correct horse')
  await fields.password.fill('another horse')
  await expect.element(page.getByText('That username is already taken')).toBeVisible()
  await fields.username.fill('ada-l')
  await expect.element(page.getByText('That username is already taken')).not.toBeInTheDocument()
})

test('a refused form can be submitted again with the same values', async () => {
  const sent = vi
    .fn<(values: Sent) => Promise<void>>()
    .mockRejectedValueOnce(new FormRefusal({ fields: { username: 'Not now' } }))
    .mockResolvedValueOnce(undefined)
  const fields = await show(sent)
  await fill(fields)
  await fields.save.click()
  await expect.element(page.getByText('Not now')).toBeVisible()
  await fields.save.click()
  await expect.element(page.getByText('Not now')).not.toBeInTheDocument()
  expect(sent).toHaveBeenCalledTimes(2)
})

test('a form is marked as unsaved from the first change until it is submitted', async () => {
  const sent = vi
    .fn<(values: Sent) => Promise<void>>()
    .mockRejectedValueOnce(new FormRefusal({ fields: { username: 'Not now' } }))
    .mockResolvedValueOnce(undefined)
  const fields = await show(sent)
  const form = page.getByRole('form', { name: 'Sign up' })
  await expect.element(form).not.toHaveAttribute('data-unsaved')
  await fill(fields)
  await expect.element(form).toHaveAttribute('data-unsaved')
  await fields.save.click()
  await expect.element(page.getByText('Not now')).toBeVisible()
  await expect.element(form).toHaveAttribute('data-unsaved')
  await fields.save.click()
  await expect.element(form).not.toHaveAttribute('data-unsaved')
  await fields.username.fill('ben')
  await expect.element(form).toHaveAttribute('data-unsaved')
})

test('a refusal of a field that is not on the screen is shown and announced above the form', async () => {
  const fields = await show(() => Promise.reject(new FormRefusal({ fields: { captcha: 'Try once more.' } })))
  await fill(fields)
  await fields.save.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Try once more.')
})

test('a password can be shown and hidden again', async () => {
  const { password } = await show(vi.fn())
  await password.fill('correct horse')
  await expect.element(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).first().click()
  await expect.element(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect.element(password).toHaveAttribute('type', 'password')
})
