import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { TagsInput } from './tags-input.tsx'

async function show(defaultValue: string[] = []) {
  const changed = vi.fn<(tags: string[]) => void>()
  const sent = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  await render(
    <form onSubmit={sent}>
      <TagsInput label="Tags" defaultValue={defaultValue} onValueChange={changed} max={3} />
      <button type="submit">Save</button>
    </form>,
  )
  return { box: page.getByRole('textbox', { name: 'Tags' }), changed, sent }
}

test('Enter adds a tag as typed, and never submits the form', async () => {
  const { box, changed, sent } = await show()
  await box.fill('A4 Planner')
  await userEvent.keyboard('{Enter}')
  expect(changed).toHaveBeenLastCalledWith(['A4 Planner'])
  expect(sent).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard('a5,{Enter}')
  expect(changed).toHaveBeenLastCalledWith(['A4 Planner', 'a5'])
  expect(sent).not.toHaveBeenCalled()
})

test('a comma adds a tag too', async () => {
  const { box, changed } = await show()
  await box.click()
  await userEvent.keyboard('planner,')
  expect(changed).toHaveBeenLastCalledWith(['planner'])
  await expect.element(box).toHaveValue('')
})

test('a comma of a phone’s keyboard, which names no key, adds a tag', async () => {
  const { box, changed } = await show()
  await box.fill('planner,')
  expect(changed).toHaveBeenLastCalledWith(['planner'])
  await expect.element(box).toHaveValue('')
})

test('an existing tag is not added again, even in another case', async () => {
  const { box, changed } = await show(['Planner'])
  await box.fill('planner')
  await userEvent.keyboard('{Enter}')
  expect(changed).not.toHaveBeenCalled()
  await expect.element(page.getByRole('status')).toHaveTextContent('Already added.')
})

test('a pasted list is split at commas and limited to the maximum', async () => {
  const { box, changed } = await show()
  await box.click()
  const data = new DataTransfer()
  data.setData('text', 'one, two,three\nfour')
  box
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  await expect.poll(() => changed).toHaveBeenLastCalledWith(['one', 'two', 'three'])
  await expect.element(box).toHaveAttribute('readonly')
})

test('Backspace in the empty input removes the last tag', async () => {
  const { box, changed } = await show(['one', 'two'])
  await box.click()
  await userEvent.keyboard('{Backspace}')
  expect(changed).toHaveBeenLastCalledWith(['one'])
})

test('each tag has a button to remove it, which moves the focus back to the input', async () => {
  const { box, changed } = await show(['one', 'two'])
  await page.getByRole('button', { name: 'Remove one' }).click()
  expect(changed).toHaveBeenLastCalledWith(['two'])
  await expect.element(box).toHaveFocus()
})
