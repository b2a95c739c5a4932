import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/kit/kit.css'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { TagsInput } from './tags-input.tsx'
import { Textarea } from './textarea.tsx'

const cut = (most: number) => page.getByText(`Your text was cut at ${most} characters, the most that fits.`)

/** Copies a text where the keyboard can paste it from. */
async function copy(text: string) {
  const source = document.createElement('textarea')
  document.body.append(source)
  source.value = text
  source.select()
  await userEvent.copy()
  source.remove()
}

test.each([
  ['one line', <Input key="one" maxLength={40} />],
  ['several lines', <Textarea key="several" maxLength={40} />],
  ['tags', <TagsInput key="tags" />],
])('a pasted text that is too long is cut, and the field says so: %s', async (_, control) => {
  await render(
    <Field label="Name" status="Looks great!">
      {control}
    </Field>,
  )
  const box = page.getByLabelText('Name')
  await copy('a'.repeat(50))
  await box.click()
  await userEvent.paste()
  await expect.element(box).toHaveValue('a'.repeat(40))
  await expect.element(cut(40)).toBeVisible()
  await userEvent.keyboard('{Backspace}')
  await expect.element(page.getByText('Looks great!')).toBeVisible()
  await expect.element(cut(40)).not.toBeInTheDocument()
})

test('a pasted text that fits is not called cut, also in place of another', async () => {
  await render(
    <Field label="Name" status="Looks great!">
      <Input maxLength={50} defaultValue={'b'.repeat(30)} />
    </Field>,
  )
  const box = page.getByLabelText('Name')
  await copy('a'.repeat(45))
  await box.click()
  await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}')
  await userEvent.paste()
  await expect.element(box).toHaveValue('a'.repeat(45))
  await expect.element(page.getByText('Looks great!')).toBeVisible()
})

test('a field that is full says so, and a code of its length does not', async () => {
  await render(
    <>
      <Field label="Name">
        <Input maxLength={40} />
      </Field>
      <Field label="Code">
        <Input maxLength={7} />
      </Field>
    </>,
  )
  await page.getByLabelText('Code').click()
  await userEvent.keyboard('123 456')
  await page.getByLabelText('Name').click()
  await userEvent.keyboard('a'.repeat(41))
  await expect.element(page.getByText('That’s the most: 40 characters.')).toBeVisible()
  await expect.element(page.getByText('That’s the most: 7 characters.')).not.toBeInTheDocument()
})
