import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../kit.css'
import { ErrorState } from './error-state.tsx'

function Part() {
  const [isLoading, setLoading] = useState(false)
  if (isLoading) return <p>Loading</p>
  return <ErrorState title="It could not be loaded" onRetry={() => setLoading(true)} error={null} />
}

test('leaves the focus on the page when Try again replaces it', async () => {
  await render(
    <main id="main" tabIndex={-1}>
      <h1 id="page-title" tabIndex={-1}>
        Products
      </h1>
      <Part />
    </main>,
  )
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Loading')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Products' })).toHaveFocus()
})
