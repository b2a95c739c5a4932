import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { SearchField } from './search-field.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function show() {
  const searched: string[] = []
  await render(
    <>
      <SearchField
        label="Search users"
        placeholder="Search..."
        value=""
        onSearch={(words) => searched.push(words)}
      />
      <button type="button">Another place</button>
    </>,
  )
  return searched
}

test('leaving the field searches at once, so no search follows the link that was pressed', async () => {
  const searched = await show()
  await page.getByRole('searchbox').fill('clara')
  await page.getByRole('button', { name: 'Another place' }).click()
  expect(searched).toEqual(['clara'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(searched).toEqual(['clara'])
})

test('a pause in typing searches once, even before the address has followed', async () => {
  const searched = await show()
  await page.getByRole('searchbox').fill('clara ')
  await vi.advanceTimersByTimeAsync(1_000)
  await page.getByRole('searchbox').fill('clara')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(searched).toEqual(['clara'])
})
