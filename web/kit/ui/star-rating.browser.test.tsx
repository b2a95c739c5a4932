import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { StarRating, StarRatingInput } from './star-rating.tsx'

test('stars are chosen by keyboard and have one tab stop', async () => {
  const changed = vi.fn()
  await render(
    <>
      <StarRatingInput label="Your rating" onValueChange={changed} />
      <button type="button">Next</button>
    </>,
  )
  await userEvent.tab()
  await userEvent.keyboard(' ')
  expect(changed).toHaveBeenLastCalledWith(1)
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  expect(changed).toHaveBeenLastCalledWith(4)
  await expect.element(page.getByRole('radio', { name: '4 stars' })).toBeChecked()
  await userEvent.keyboard('{ArrowLeft}')
  expect(changed).toHaveBeenLastCalledWith(3)
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'Next' })).toHaveFocus()
})

test('a rating is described in words, with the number of ratings', async () => {
  await render(<StarRating value={4.64} count={18} />)
  await expect.element(page.getByText('4.6 out of 5 stars, 18 reviews')).toBeInTheDocument()
})

test('a product without ratings shows a dash', async () => {
  await render(<StarRating value={null} />)
  await expect.element(page.getByText('No rating yet')).toBeInTheDocument()
})
